use super::*;

fn number(text: &str, home: &str) -> Option<String> {
    Phone::parse(text, home).map(|phone| phone.e164())
}

#[test]
fn a_number_gets_its_country_and_loses_its_separators() {
    for (text, home, expected) in [
        ("+965 5000-0000", "KW", Some("+96550000000")),
        ("0096550000000", "SA", Some("+96550000000")),
        ("96550000000", "KW", Some("+96550000000")),
        ("50000000", "KW", Some("+96550000000")),
        ("050000000", "KW", Some("+96550000000")),
        ("0501234567", "SA", Some("+966501234567")),
        ("9660501234567", "SA", Some("+966501234567")),
        ("501234567", "AE", Some("+971501234567")),
        ("04 123 4567", "AE", Some("+97141234567")),
        ("+44 (0)20 7946.0018", "KW", Some("+442079460018")),
        ("+39 06 1234 5678", "KW", Some("+390612345678")),
        ("06 1234 5678", "IT", Some("+390612345678")),
        ("06 20 123 4567", "HU", Some("+36201234567")),
        ("8 (912) 345-67-89", "RU", Some("+79123456789")),
        ("1 (201) 555-0123", "US", Some("+12015550123")),
        ("+883 5100 0000 0000", "KW", Some("+883510000000000")),
    ] {
        assert_eq!(number(text, home).as_deref(), expected, "{text} {home}");
    }
}

#[test]
fn digits_of_every_script_count_and_spaces_and_format_characters_do_not() {
    for text in [
        "٥٠٠٠١٢٣٤",
        "۵۰۰۰۱۲۳۴",
        "५०००१२३४",
        "５０００１２３４",
        "𝟓𝟎𝟎𝟎𝟏𝟐𝟑𝟒",
        "٥٠٠٠1234",
        "\u{202a}+965 5000 1234\u{202c}",
        "\u{200f}+٩٦٥ ٥٠٠٠ ١٢٣٤",
        "\u{feff}5000\u{a0}1234",
        "5000\u{2011}1234",
        "＋965 50001234",
        "\t50001234\u{200b}",
    ] {
        assert_eq!(number(text, "KW").as_deref(), Some("+96550001234"), "{text:?}");
    }
}

#[test]
fn what_is_no_number_of_home_and_names_no_country_is_none() {
    for (text, home) in [
        ("1234567", "KW"),
        ("500012345", "KW"),
        ("442079460018", "KW"),
        ("0501234567", "KW"),
        ("966501234567", "KW"),
        ("5000000", "SA"),
        ("50000000", "SA"),
        ("50001234", "XX"),
        ("50001234", ""),
        ("+9655000000012345", "KW"),
        ("+9655000", "KW"),
        ("+999 12345678", "KW"),
        ("00", "KW"),
        ("+", "KW"),
        ("", "KW"),
        ("call me", "KW"),
        ("++96550000000", "KW"),
        ("96550000000+", "KW"),
        ("50001234 ext 5", "KW"),
        ("50001234,5", "KW"),
        ("٥٠٠٠١٢٣½", "KW"),
    ] {
        assert_eq!(number(text, home), None, "{text:?} {home}");
    }
}

#[test]
fn a_number_is_printed_for_those_who_dial_it_and_with_a_space_after_its_country() {
    let phone = Phone::parse("50001234", "KW").unwrap();
    assert_eq!((phone.e164().as_str(), phone.e123().as_str()), ("+96550001234", "+965 50001234"));
    assert_eq!(Phone::parse_international("+965 50001234"), Some(phone));
    assert_eq!(Phone::parse_international("50001234"), None);
    assert_eq!((lengths("KW"), lengths("AE"), lengths("XX")), (Some((8, 8)), Some((8, 9)), None));
}
