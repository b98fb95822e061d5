//! The processor time of processes, as Linux tells it.

use std::time::Duration;

use crate::Failure;

/// Where user time stands in `/proc/PID/stat`, counted from the field after the name; system time
/// follows.
pub(crate) const OWN: usize = 11;
/// The same of all children that have ended.
pub(crate) const CHILDREN: usize = 13;

/// User and system time out of the text of `/proc/PID/stat`.
pub(crate) fn time(stat: &str, place: usize) -> Result<Duration, Failure> {
    // The name may hold anything, and ends at the last parenthesis.
    let (_, rest) = stat.rsplit_once(')').ok_or("no stat")?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let [user, system] = fields.get(place..place + 2).ok_or("a short stat")? else {
        return Err("a short stat".into());
    };
    // Linux counts in hundredths of a second here, whatever its clock does.
    let ticks = user.parse::<u64>()? + system.parse::<u64>()?;
    Ok(Duration::from_millis(10 * ticks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_added() {
        let stat = "7 (a b) c) S 1 7 7 0 -1 4194560 1 2 3 4 150 50 700 300 20 0 1";
        assert_eq!(time(stat, OWN).unwrap(), Duration::from_secs(2));
        assert_eq!(time(stat, CHILDREN).unwrap(), Duration::from_secs(10));
        assert!(time("7 (a) S 1", OWN).is_err());
    }
}
