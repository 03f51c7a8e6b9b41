//! Slots in names: each kind carries its slot, the forms without one are read, and what is random is not less.

use checkout_core::access::key::ApiKey;
use checkout_core::card::CardToken;
use checkout_core::record::attachment::{AttachmentName, Extension};
use checkout_core::record::attention::AttentionId;
use checkout_core::record::image::{ImageKind, ImageName};
use checkout_core::record::return_token::ReturnToken;
use checkout_core::record::short_link::ShortCode;
use checkout_core::value::id::{DeliveryId, MerchantId, ReferenceNumber, SessionId};
use checkout_core::value::slot::{Slot, Slotted};

/// The slot of a text as a kind of name; `None` if the kind does not read it.
type Read = fn(&str) -> Option<Slot>;

fn slot<T: Slotted>(name: Option<T>) -> Option<Slot> {
    name.map(|name| name.slot())
}

const SESSION: Read = |text| slot(SessionId::parse(text));
const REFERENCE: Read = |text| slot(ReferenceNumber::parse(text));
const DELIVERY: Read = |text| slot(DeliveryId::parse(text));
const ATTENTION: Read = |text| slot(AttentionId::parse(text));
const CARD: Read = |text| slot(CardToken::parse(text));
const LINK: Read = |text| slot(ShortCode::parse(text));
const FILE: Read = |text| slot(AttachmentName::parse(text));
const IMAGE: Read = |text| slot(ImageName::parse(text));
const RETURN: Read = |text| slot(ReturnToken::parse(text));
const KEY: Read = |text| slot(ApiKey::parse(text));

/// Names as they were before they carried a slot. Those of one length with the form that carries it begin or end as if they
/// carried another.
#[test]
fn names_without_a_slot_mean_the_first_one() {
    let names: &[(&str, Read)] = &[
        ("00a702030405060708090a0b0c0d0e0f10111213", SESSION),
        ("04HMASW9NFA7", REFERENCE),
        ("SHOPU1CU04HMASW9NFA7", REFERENCE),
        ("ORDER-1", REFERENCE),
        ("00A702030405060708090A0B0C0D0E0F10111213", REFERENCE),
        ("evt_00a702030405060708090a0b0c0d0e0f10111213_12", DELIVERY),
        ("evt_00a702030405060708090a0b0c0d0e0f10111213_1ab", DELIVERY),
        ("alert_a7a702030405060708090a0b0c0d0e0f10111213", DELIVERY),
        ("04HMASW9NFA7.late_success", ATTENTION),
        ("card_a7a702030405060708090a0b0c0d0e0f", CARD),
        ("xa70123456", LINK),
        ("abcdefghijklmnopqrstuvwxyz234567.pdf", FILE),
        ("xa2defghijklmnopqrstuvwxyz234567.jpeg", FILE),
        ("a7a702030405060708090a0b0c0d0e0f.webp", IMAGE),
        ("a7a702030405060708090a0b0c0d0e0f", RETURN),
        ("aB3dE6gH.a723456789abcdefghijABCDEFGHIJ45", KEY),
        ("till1111.11111111111111111111111111148MUI", KEY),
        ("a7a70203a7a70203a7a70203a7a70203a7a70203", KEY),
    ];
    for (name, read) in names {
        assert_eq!(read(name), Some(Slot::FIRST), "{name}");
    }
}

#[test]
fn every_kind_of_name_carries_its_slot() {
    let reference = |slot| ReferenceNumber::generate("SHOP1", slot, [7; 8]);
    for slot in (0..=255).map(Slot::from) {
        let session = SessionId::generate(slot, [7; 19]);
        let names: [(String, Read); 8] = [
            (session.to_string(), SESSION),
            (reference(slot).to_string(), REFERENCE),
            (DeliveryId::new(&session, 3).to_string(), DELIVERY),
            (format!("alert_{slot}{}", "07".repeat(20)), DELIVERY),
            (format!("{}.late_success", reference(slot)), ATTENTION),
            (CardToken::generate(slot, [7; 16]).as_str().into(), CARD),
            (ShortCode::generate(slot, [7; 16]).as_str().into(), LINK),
            (AttachmentName::generate(slot, [7; 20], Extension::Pdf).as_str().into(), FILE),
        ];
        for (name, read) in names {
            assert_eq!(read(&name), Some(slot), "{name}");
        }
        let token = ReturnToken::of(&session, &reference(slot));
        assert_eq!(RETURN(token.as_str()), Some(slot));
    }
    let image = ImageName::of(&MerchantId::parse("demo").unwrap(), ImageKind::Png, b"image");
    assert_eq!(IMAGE(image.as_str()), Some(Slot::FIRST));
    assert_eq!(IMAGE(&image.as_str().replacen("x00", "xa7", 1)), Some(Slot::from(0xa7)));
}

#[test]
fn what_is_almost_a_slot_is_no_name() {
    let names: &[(&str, Read)] = &[
        ("alert_a7a702030405060708090a0b0c0d0e0f101112131", DELIVERY),
        ("alert_g7a702030405060708090a0b0c0d0e0f1011121314", DELIVERY),
        ("card_a7a702030405060708090a0b0c0d0e0f1", CARD),
        ("card_xa7a702030405060708090a0b0c0d0e0f", CARD),
        ("xA70123456789", LINK),
        ("xg00123456789", LINK),
        ("ya70123456789", LINK),
        ("x0123456789", LINK),
        ("ya7abcdefghijklmnopqrstuvwxyz234567.pdf", FILE),
        ("xa7abcdefghijklmnopqrstuvwxyz23456.pdf", FILE),
        ("x00a7a702030405060708090a0b0c0d0e0.png", IMAGE),
        ("xa7a7a702030405060708090a0b0c0d0e0F", RETURN),
    ];
    for (name, read) in names {
        assert_eq!(read(name), None, "{name}");
    }
}

/// A token opens the page of its own attempt only, in both forms, and not with another slot.
#[test]
fn an_address_of_return_without_a_slot_is_still_of_its_attempt() {
    let slot = Slot::from(0xa7);
    let (session, reference) =
        (SessionId::generate(slot, [7; 19]), ReferenceNumber::generate("", slot, [7; 8]));
    let first = SessionId::generate(Slot::FIRST, [7; 19]);
    let digits = |session| ReturnToken::of(session, &reference).as_str().get(3..).unwrap().to_string();
    let is_of = |text: &str, session| ReturnToken::parse(text).unwrap().is_of(session, &reference);
    assert!(is_of(&digits(&first), &first));
    assert!(is_of(&format!("x00{}", digits(&first)), &first));
    assert!(is_of(&format!("xa7{}", digits(&session)), &session));
    assert!(!is_of(&digits(&session), &session), "no session of another slot has a token without one");
    assert!(!is_of(&format!("xa8{}", digits(&session)), &session));
    assert!(!is_of(&format!("xa7{}", digits(&first)), &session));
}

/// How many bits of what is random change a name: each is a bit that nobody can guess.
#[test]
fn what_is_random_in_a_name_suffices() {
    fn bits<const N: usize>(name: impl Fn([u8; N]) -> String) -> usize {
        let first = name([0; N]);
        (0..N * 8)
            .filter(|bit| {
                let mut random = [0; N];
                random[bit / 8] = 1 << (bit % 8);
                name(random) != first
            })
            .count()
    }
    assert_eq!(bits(|random| SessionId::generate(0, random).to_string()), 152);
    // It is shown to everyone: it must be unique, not secret.
    assert_eq!(bits(|random| ReferenceNumber::generate("", Slot::FIRST, random).to_string()), 60);
    assert_eq!(bits(|random| CardToken::generate(Slot::FIRST, random).as_str().into()), 128);
    assert_eq!(
        bits(|random| AttachmentName::generate(Slot::FIRST, random, Extension::Pdf).as_str().into()),
        160
    );
    // Ten characters of 62: 59 bits, as before.
    let code = ShortCode::generate(Slot::FIRST, [255; 16]);
    assert_eq!(code.as_str().len(), "x00".len() + 10);
}
