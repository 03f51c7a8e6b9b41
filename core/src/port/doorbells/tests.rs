use super::*;

const MERCHANT: &str = "shop";
const REFERENCE: &str = "0123456789ABCDEFGHJKMNPQRS";

fn doorbells() -> alloc::vec::Vec<Doorbell> {
    let merchant = || MerchantId::parse(MERCHANT).unwrap_or_else(|| panic!("{MERCHANT}"));
    let session = SessionId::parse("0123456789012345678901234567890123456789");
    let session = session.unwrap_or_else(|| panic!("a session id"));
    let reference = ReferenceNumber::parse("ABCDEF012345").or_else(|| ReferenceNumber::parse(REFERENCE));
    let reference = reference.unwrap_or_else(|| panic!("a reference"));
    let turn = |family: Option<&str>| DueRow {
        item: reference.clone(),
        merchant: merchant(),
        lane: "knet".into(),
        family: family.map(ToString::to_string),
    };
    alloc::vec![
        Doorbell::Delivery(DeliveryId::new(&session, 7)),
        Doorbell::Attempt(turn(Some("knet (sandbox)"))),
        Doorbell::Operation(turn(None)),
        Doorbell::Expiry(DueRow { item: session, merchant: merchant(), lane: String::new(), family: None }),
    ]
}

#[test]
fn a_doorbell_is_read_back_as_it_was_sent() {
    for bell in doorbells() {
        assert_eq!(Doorbell::parse(&bell.to_text()), Some(bell));
    }
}

#[test]
fn a_text_that_is_no_doorbell_is_not_read() {
    for bell in doorbells() {
        let text = bell.to_text();
        for wrong in [alloc::format!("{text}\n"), alloc::format!("x{text}"), text.replace('\n', " ")] {
            assert_eq!(Doorbell::parse(&wrong), None, "{wrong:?}");
        }
    }
    let long = alloc::format!("attempt\nx\nshop\n{}\n", "l".repeat(MAX_TEXT));
    for wrong in ["", "delivery", "delivery\n", "attempt\n\n\n\n", long.as_str()] {
        assert_eq!(Doorbell::parse(wrong), None, "{wrong:?}");
    }
}
