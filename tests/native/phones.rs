//! Telephone numbers of every country, as Google's library writes them at home and abroad (`scripts/numbering.mjs`).
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use checkout_core::value::phone::Phone;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    country: String,
    written: Vec<String>,
    e164: String,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("../vectors/phones.json")).unwrap()
}

#[test]
fn a_number_of_any_country_is_read_as_it_is_written_there_or_not_at_all() {
    let vectors = vectors();
    assert!(vectors.len() > 240);
    let mut unread = Vec::new();
    for Vector { country, written, e164 } in &vectors {
        for text in written {
            match Phone::parse(text, country) {
                Some(phone) => assert_eq!(phone.e164(), *e164, "{country} {text}"),
                // Argentina and Belarus dial more at home than one prefix.
                None => unread.push(country.as_str()),
            }
        }
    }
    assert_eq!(unread, ["AR", "BY"]);
}

#[test]
fn a_number_with_its_country_is_the_same_everywhere_and_one_without_is_read_only_at_home() {
    for Vector { country, e164, .. } in vectors() {
        for home in ["KW", "DE", "US", "", "XX", country.as_str()] {
            let phone = Phone::parse(&e164, home).unwrap();
            assert_eq!(phone.e164(), e164, "{home}");
            assert_eq!(Phone::parse(&e164.replace('+', "00"), home), Some(phone), "{home}");
        }
        let phone = Phone::parse_international(&e164).unwrap();
        assert_eq!(Phone::parse(&phone.e123(), ""), Some(phone.clone()));
        assert_eq!(phone.e123().replace(' ', ""), e164);
        let bare = e164.trim_start_matches('+');
        if let Some(read) = Phone::parse(bare, "KW") {
            assert!(read.e164().starts_with("+965"), "{bare} is not sent to another country");
        }
    }
}
