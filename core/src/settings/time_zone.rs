//! The time zone of a merchant, or of a user.

use alloc::vec::Vec;

/// Each country that has one time zone, with its name in the IANA database, whose `zone.tab` this is taken from.
const OF_COUNTRIES: &str = include_str!("zones.txt");
/// The longest name of a zone.
const MAX_NAME: usize = 64;

/// The zone of a country; `None` if it has several.
#[must_use]
pub(crate) fn of_country(country: &str) -> Option<&'static str> {
    OF_COUNTRIES.lines().find_map(|line| line.strip_prefix(country)?.strip_prefix(' '))
}

/// Zones of countries that have several, where most people live, and the time that no country has.
const OTHERS: [&str; 16] = [
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Mexico_City",
    "America/New_York",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Toronto",
    "America/Vancouver",
    "Asia/Jakarta",
    "Asia/Shanghai",
    "Australia/Sydney",
    "Europe/Berlin",
    "Europe/Madrid",
    "Europe/Moscow",
    "UTC",
];

/// The zones that are offered, in the order of their names. The platform knows more.
#[must_use]
pub(crate) fn offered() -> Vec<&'static str> {
    let of_countries = OF_COUNTRIES.lines().filter_map(|line| line.split_once(' ')).map(|(_, zone)| zone);
    let mut zones: Vec<&str> = of_countries.chain(OTHERS).collect();
    zones.sort_unstable();
    zones.dedup();
    zones
}

/// Whether a text has the form of a zone's name. Which zones there are, the platform knows.
#[must_use]
pub(crate) fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'+');
    text.len() <= MAX_NAME
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_with_one_zone_has_it_and_one_with_several_has_none() {
        for (country, zone) in [
            ("KW", Some("Asia/Kuwait")),
            ("SA", Some("Asia/Riyadh")),
            ("GB", Some("Europe/London")),
            ("ZW", Some("Africa/Harare")),
            ("US", None),
            ("", None),
            ("K", None),
            ("XX", None),
        ] {
            assert_eq!(of_country(country), zone, "{country}");
        }
        assert!(OF_COUNTRIES.lines().all(|line| line.split_once(' ').is_some_and(|(_, zone)| is_name(zone))));
    }

    #[test]
    fn a_name_has_no_offset_and_no_space() {
        for name in
            ["Asia/Kuwait", "UTC", "Etc/GMT+3", "America/Argentina/Buenos_Aires", "America/Port-au-Prince"]
        {
            assert!(is_name(name), "{name}");
        }
        for text in ["", "+03:00", "Asia/Kuwait ", "Asia Kuwait", "آسيا", "3", "/Kuwait", &"a".repeat(65)]
        {
            assert!(!is_name(text), "{text}");
        }
    }
}
