//! The language that a browser prefers (`Accept-Language`, RFC 9110).

use super::Language;

/// The most entries of a header that are read.
const MOST: usize = 16;
/// The weight of an entry that names none, in thousandths.
const FULL: u16 = 1_000;

impl Language {
    /// The language of ours that the header prefers; `None` if it names none of ours.
    ///
    /// ```
    /// use checkout_core::words::Language;
    ///
    /// assert_eq!(Language::accepted("fr, ar-KW;q=0.8, en;q=0.5"), Some(Language::Ar));
    /// assert_eq!(Language::accepted("fr"), None);
    /// ```
    #[must_use]
    pub fn accepted(header: &str) -> Option<Self> {
        let mut best: Option<(Self, u16)> = None;
        for (language, weight) in header.split(',').take(MOST).filter_map(entry) {
            if weight > 0 && best.is_none_or(|(_, heaviest)| weight > heaviest) {
                best = Some((language, weight));
            }
        }
        best.map(|(language, _)| language)
    }
}

fn entry(text: &str) -> Option<(Language, u16)> {
    let mut parts = text.split(';').map(str::trim);
    let tag = parts.next()?;
    let primary = tag.split('-').next().unwrap_or_default();
    let language = Language::ALL.into_iter().find(|known| known.as_str().eq_ignore_ascii_case(primary))?;
    let weight = parts.find_map(|part| part.strip_prefix("q="));
    Some((language, weight.map_or(Some(FULL), thousandths)?))
}

/// `0.8` in thousandths.
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, fraction) = weight.split_once('.').unwrap_or((weight, ""));
    let digits: u16 = alloc::format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    match whole {
        "1" => Some(FULL),
        "0" => Some(digits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_language_that_is_ours_is_accepted_and_the_first_of_equals() {
        for (header, language) in [
            ("ar", Some(Language::Ar)),
            ("AR-kw", Some(Language::Ar)),
            ("en-GB,en;q=0.9,ar;q=0.8", Some(Language::En)),
            ("en;q=0.2, ar;q=0.25", Some(Language::Ar)),
            ("fr-FR, de;q=0.9", None),
            ("ar;q=0", None),
            ("ar;q=x, en;q=0.1", Some(Language::En)),
            ("ar, en", Some(Language::Ar)),
            ("", None),
            ("*", None),
            ("en;q=\u{fffd}\u{fffd}", None),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }
}
