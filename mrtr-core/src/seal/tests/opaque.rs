//! Tests of recorded results and tickets.

use super::*;

#[test]
fn a_record_opens_in_its_own_place_only() {
    let sealer = sealer(&[1], Sealing::Signed);
    let bound = |bind: &Bind| record_bound(&[7; 16], bind);
    let aad = record_aad(&[1; 32], &[2; 32], &bound(&bind()));
    let record = sealer.seal_record(b"{\"content\":[]}", &aad, [5; 24]);
    assert_eq!(
        sealer.open_record(&record, &aad).as_deref(),
        Ok(&b"{\"content\":[]}"[..])
    );
    let other = Realm::new("other").bind(None, None, "tools/call", &params("{}"));
    for aad in [
        record_aad(&[9; 32], &[2; 32], &bound(&bind())),
        record_aad(&[1; 32], &[9; 32], &bound(&bind())),
        record_aad(&[1; 32], &[2; 32], &bound(&other)),
        record_aad(&[1; 32], &[2; 32], &record_bound(&[8; 16], &bind())),
        Vec::new(),
    ] {
        assert_eq!(sealer.open_record(&record, &aad), Err(Refused::Seal));
    }
    for bit in 0..record.len() * 8 {
        let mut record = record.clone();
        record[bit / 8] ^= 1 << (bit % 8);
        assert!(sealer.open_record(&record, &aad).is_err());
    }
    for length in 0..record.len() {
        assert!(sealer.open_record(&record[..length], &aad).is_err());
    }
}

#[test]
fn a_ticket_is_text_of_its_own_purpose() {
    let sealer = sealer(&[1], Sealing::Sealed);
    let ticket = sealer.seal_ticket(b"", b"link", [5; 24]);
    assert_eq!(
        sealer.open_ticket(&ticket, b"link", MAX).as_deref(),
        Ok(&b""[..])
    );
    assert_eq!(
        sealer.open_ticket(&ticket, b"other", MAX),
        Err(Refused::Seal)
    );
    assert_eq!(
        sealer.open_ticket(&ticket, b"link", 10),
        Err(Refused::TooLong)
    );
    assert_eq!(
        sealer.open_ticket("?", b"link", MAX),
        Err(Refused::NotBase64)
    );
}
