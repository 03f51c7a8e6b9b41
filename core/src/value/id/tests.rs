use alloc::string::ToString;

use super::*;

const SESSION: &str = "00000102030405060708090a0b0c0d0e0f101112";

fn session() -> SessionId {
    SessionId::parse(SESSION).unwrap()
}

#[test]
fn a_session_id_is_its_shard_and_its_random_bytes_in_hexadecimal() {
    let random: [u8; 19] = core::array::from_fn(|place| u8::try_from(place).unwrap());
    assert_eq!(SessionId::generate(0, random).as_str(), SESSION);
    assert_eq!(SessionId::generate(0xa1, [0xff; 19]).as_str(), alloc::format!("a1{}", "f".repeat(38)));
}

#[test]
fn a_session_id_has_exactly_40_lower_case_digits() {
    assert_eq!(SessionId::parse(SESSION).unwrap().to_string(), SESSION);
    let upper = SESSION.to_uppercase();
    let short = "0".repeat(39);
    let long = alloc::format!("{SESSION}0");
    for text in
        ["", "00", upper.as_str(), long.as_str(), short.as_str(), "g000010203040506070809a0b0c0d0e0f1011120"]
    {
        assert_eq!(SessionId::parse(text), None, "{text:?}");
    }
    assert_eq!(SessionId::parse(&"é".repeat(20)), None);
}

#[test]
fn a_reference_number_carries_sixty_bits_in_twelve_characters() {
    for (random, text) in [
        ([0; 8], "000000000000"),
        ([0xff; 8], "ZZZZZZZZZZZZ"),
        ([0x08, 0, 0, 0, 0, 0, 0, 0], "100000000000"),
        ([0, 0, 0, 0, 0, 0, 0, 0x10], "000000000001"),
        ([0, 0, 0, 0, 0, 0, 0, 0x0f], "000000000000"),
        ([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef], "04HMASW9NF6Y"),
    ] {
        assert_eq!(ReferenceNumber::generate("", Slot::FIRST, random).as_str(), [text, "U00"].concat());
    }
    assert_eq!(
        ReferenceNumber::generate("SHOP1", Slot::from(0xa7), [0xff; 8]).as_str(),
        "SHOP1ZZZZZZZZZZZZUA7"
    );
    assert_eq!(
        ReferenceNumber::generate("a b/123456789", Slot::FIRST, [0; 8]).as_str(),
        "12345678000000000000U00"
    );
}

#[test]
fn reference_numbers_have_no_letter_that_is_misread() {
    let digits: String = ReferenceNumber::ALPHABET.iter().collect();
    assert!(!digits.contains(['I', 'L', 'O', 'U']));
    assert!(ReferenceNumber::ALPHABET.is_sorted_by(|earlier, later| earlier < later));
}

#[test]
fn a_reference_number_is_safe_in_a_path() {
    assert!(ReferenceNumber::parse("SHOP-12345").is_some());
    assert!(ReferenceNumber::parse(&"A".repeat(128)).is_some());
    assert!(ReferenceNumber::parse(&"A".repeat(129)).is_none());
    for text in ["", "a", "A/B", "..", "A.B", "A B", "A%2F", "A_B", "É"] {
        assert_eq!(ReferenceNumber::parse(text), None, "{text:?}");
    }
}

#[test]
fn a_prefix_is_up_to_eight_capitals_and_digits() {
    for text in ["", "A", "SHOP1234"] {
        assert!(ReferenceNumber::is_prefix(text), "{text}");
    }
    for text in ["shop", "SHOP12345", "A-B", "A B"] {
        assert!(!ReferenceNumber::is_prefix(text), "{text}");
    }
}

#[test]
fn a_merchant_id_is_lower_case_and_starts_without_a_hyphen() {
    for text in ["demo", "0", "a-b-", &"m".repeat(40)] {
        assert_eq!(MerchantId::parse(text).unwrap().as_str(), text);
    }
    for text in ["", "-a", "Demo", "a_b", "a b", "a\n", "é", &"m".repeat(41)] {
        assert_eq!(MerchantId::parse(text), None, "{text:?}");
    }
}

#[test]
fn a_pg_code_is_a_slug_of_at_most_50_characters() {
    for text in ["knet", "credit-card", "KNET_2", &"k".repeat(50)] {
        assert_eq!(PgCode::parse(text).unwrap().as_str(), text);
    }
    for text in ["", "a b", "a.b", "a/b", "é", &"k".repeat(51)] {
        assert_eq!(PgCode::parse(text), None, "{text:?}");
    }
    assert_ne!(PgCode::parse("KNET"), PgCode::parse("knet"));
}

#[test]
fn a_delivery_id_names_its_transaction_and_its_event() {
    let id = DeliveryId::new(&session(), 7);
    assert_eq!(id.as_str(), alloc::format!("evt_{SESSION}_7"));
    assert_eq!(DeliveryId::parse(id.as_str()), Some(id.clone()));
    assert_eq!((id.session_id(), id.number()), (Some(&session()), 7));
}

#[test]
fn every_message_about_an_event_has_a_name_of_its_own() {
    let session = session();
    let ids: alloc::vec::Vec<DeliveryId> = DeliveryId::of_event(&session, 7).collect();
    let texts: alloc::vec::Vec<&str> = ids.iter().map(DeliveryId::as_str).collect();
    let beginning = alloc::format!("evt_{SESSION}_7");
    assert_eq!(texts.len(), 51);
    assert_eq!(texts[26], alloc::format!("{beginning}ab"));
    assert_eq!(
        texts[..3],
        [beginning.clone(), alloc::format!("{beginning}b"), alloc::format!("{beginning}c")]
    );
    assert_eq!(ids[0], DeliveryId::new(&session, 7));
    for id in &ids {
        assert_eq!(DeliveryId::parse(id.as_str()).as_ref(), Some(id));
        assert_eq!(id.number(), 7);
    }
}

#[test]
fn a_delivery_id_has_one_spelling() {
    for tail in [
        "",
        "_",
        "_07",
        "_+7",
        "_7_",
        "_ 7",
        "_7 ",
        "_x",
        "_7a",
        "_7bb",
        "_7B",
        "_b",
        "_9223372036854775808",
        "7",
    ] {
        assert_eq!(DeliveryId::parse(&alloc::format!("evt_{SESSION}{tail}")), None, "{tail:?}");
    }
    assert_eq!(DeliveryId::parse(&alloc::format!("{SESSION}_7")), None);
    assert_eq!(DeliveryId::parse("evt_00_7"), None);
}

#[test]
fn names_are_stored_as_their_text_and_proven_when_read_back() {
    let code = PgCode::parse("credit-card").unwrap();
    assert_eq!(serde_json::to_string(&code).unwrap(), "\"credit-card\"");
    assert_eq!(serde_json::from_str::<PgCode>("\"credit-card\"").unwrap(), code);
    assert_eq!(serde_json::from_str::<SessionId>(&alloc::format!("\"{SESSION}\"")).unwrap(), session());
    let refusal = serde_json::from_str::<SessionId>("\"00\"").unwrap_err().to_string();
    assert!(refusal.starts_with("must be 40 lower-case hexadecimal digits"), "{refusal}");
}
