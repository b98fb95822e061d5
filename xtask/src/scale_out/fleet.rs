//! The three instances behind the balancer: they are killed and restarted, and get new keys.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::Failure;

use super::instance::{Instance, Settings};
use super::place::free_port;

/// Instances on ports that stay the same.
pub(super) struct Fleet {
    settings: Settings,
    instances: Vec<Instance>,
    pub(super) kills: usize,
}

impl Fleet {
    pub(super) fn start(count: usize, settings: Settings) -> Result<Self, Failure> {
        let mut instances = Vec::new();
        for _ in 0..count {
            instances.push(Instance::start_at(free_port()?, &settings)?);
        }
        Ok(Self {
            settings,
            instances,
            kills: 0,
        })
    }

    pub(super) fn ports(&self) -> Vec<u16> {
        self.instances.iter().map(Instance::port).collect()
    }

    /// Kills instances until half of a part is played, gives them another ring, and kills on until
    /// all of it is.
    pub(super) fn disturb(
        &mut self,
        ring: &[&str],
        half: &AtomicBool,
        all: &AtomicBool,
    ) -> Result<(), Failure> {
        self.kill_in_turn(half)?;
        self.rotate(ring)?;
        self.kill_in_turn(all)
    }

    /// Kills one instance after the other and starts it again, at least once and until told to
    /// stop.
    fn kill_in_turn(&mut self, stop: &AtomicBool) -> Result<(), Failure> {
        loop {
            // Odd spans, so that the kills meet the rounds at ever other points.
            sleep(Duration::from_millis(50 + (self.kills as u64 * 73) % 100));
            let victim = self.kills % self.instances.len();
            self.instances[victim].kill();
            self.kills += 1;
            sleep(Duration::from_millis(30 + (self.kills as u64 * 31) % 70));
            self.restart(victim)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }

    /// Gives all instances another ring, one after the other, without a break for clients.
    fn rotate(&mut self, keys: &[&str]) -> Result<(), Failure> {
        self.settings = self.settings.with_keys(keys);
        for turn in 0..self.instances.len() {
            self.instances[turn].terminate()?;
            self.instances[turn].wait()?;
            self.restart(turn)?;
            // The balancer must have seen that it is back before the next one goes.
            sleep(Duration::from_millis(300));
        }
        Ok(())
    }

    fn restart(&mut self, turn: usize) -> Result<(), Failure> {
        let port = self.instances[turn].port();
        self.instances[turn] = Instance::start_at(port, &self.settings)?;
        Ok(())
    }
}
