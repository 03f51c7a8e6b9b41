//! The language in which a page is shown: the one that its address names, or the one that the browser prefers
//! (`Accept-Language`, RFC 9110).

use super::Language;

/// The most entries of a header that are read.
const MOST: usize = 32;
/// The weight of an entry that names none, in thousandths.
const FULL: u16 = 1_000;

impl Language {
    /// The language of a page: the one that its reader names, otherwise that of what it shows, otherwise the one that
    /// the browser prefers.
    #[must_use]
    pub fn of_page(named: Option<Self>, own: Option<Self>, accepted: Option<Self>) -> Self {
        named.or(own).or(accepted).unwrap_or_default()
    }

    /// The language of ours that the header prefers; `None` if it prefers none of ours.
    ///
    /// Every regional form of a language is that language, as in a lookup of RFC 4647. `*` means the languages
    /// that the header does not name; a header that has nothing else prefers none.
    ///
    /// ```
    /// use checkout_core::words::Language;
    ///
    /// assert_eq!(Language::accepted("fr, ar-KW;q=0.8, en;q=0.5"), Some(Language::Ar));
    /// assert_eq!(Language::accepted("fr"), None);
    /// ```
    #[must_use]
    pub fn accepted(header: &str) -> Option<Self> {
        let entries = || header.split(',').take(MOST).filter_map(entry);
        let weight_of = |language: Self| {
            let own = entries().filter(|(range, _)| names(range, language)).map(|(_, weight)| weight).max();
            own.or_else(|| entries().find(|(range, _)| *range == "*").map(|(_, weight)| weight)).unwrap_or(0)
        };
        // Of two with one weight the header names its favourite first.
        let named =
            entries().filter_map(|(range, _)| Self::ALL.into_iter().find(|known| names(range, *known)));
        let mut best: Option<(Self, u16)> = None;
        for language in named.chain(Self::ALL) {
            let weight = weight_of(language);
            if weight > best.map_or(0, |(_, heaviest)| heaviest) {
                best = Some((language, weight));
            }
        }
        let (language, weight) = best?;
        let is_preferred = |other: Self| other == language || weight_of(other) < weight;
        let is_named = entries().any(|(range, _)| names(range, language));
        (is_named || Self::ALL.into_iter().all(is_preferred)).then_some(language)
    }
}

/// Whether a language range is a language or a regional form of it.
fn names(range: &str, language: Language) -> bool {
    let primary = range.split(['-', '_']).next().unwrap_or_default();
    language.as_str().eq_ignore_ascii_case(primary)
}

/// A range and its weight; `None` if the weight is none.
fn entry(text: &str) -> Option<(&str, u16)> {
    let mut parts = text.split(';').map(str::trim);
    let range = parts.next()?;
    let weight = parts.find_map(|part| part.strip_prefix(['q', 'Q'])?.trim_start().strip_prefix('='));
    Some((range, weight.map_or(Some(FULL), |weight| thousandths(weight.trim_start()))?))
}

/// `0.8` in thousandths; `None` if it is no weight of RFC 9110, 12.4.2. Digits after the third say nothing.
fn thousandths(weight: &str) -> Option<u16> {
    let (whole, fraction) = weight.split_once('.').unwrap_or((weight, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: u16 = alloc::format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    match (whole, digits) {
        ("1", 0) => Some(FULL),
        ("0", digits) => Some(digits),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_language_that_is_ours_is_accepted_and_the_first_of_equals() {
        let (arabic, english) = (Some(Language::Ar), Some(Language::En));
        for (header, language) in [
            ("ar", arabic),
            ("AR-kw", arabic),
            ("ar_KW", arabic),
            ("ar-Arab-KW-u-nu-latn", arabic),
            ("en-GB,en;q=0.9,ar;q=0.8", english),
            ("en;q=0.2, ar;q=0.25", arabic),
            ("ar-KW;q=0.1, en;q=0.5, ar;q=0.9", arabic),
            ("ar ; q=0.5 , en ;Q= 0.4", arabic),
            ("ar-KW,ar;q=0.9,en-US;q=0.8,en;q=0.7", arabic),
            ("fr, ar;q=0.5", arabic),
            ("fr-FR, de;q=0.9", None),
            ("ar, en", arabic),
            ("en, ar", english),
            ("", None),
            ("arz, enm", None),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }

    #[test]
    fn a_star_means_what_is_not_named() {
        let (arabic, english) = (Some(Language::Ar), Some(Language::En));
        for (header, language) in [
            ("*", None),
            ("fr, *;q=0.5", None),
            ("*;q=0.1", None),
            ("ar, *;q=0.5", arabic),
            ("ar, *", arabic),
            ("*, ar", arabic),
            ("ar;q=0.3, *;q=0.8", english),
            ("en;q=0, *", arabic),
            ("en;q=0, *;q=0.1", arabic),
            ("ar, *;q=0", arabic),
            ("*;q=0", None),
            ("ar;q=0", None),
            ("ar;q=0, en;q=0", None),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
    }

    #[test]
    fn garbage_prefers_nothing_and_costs_nothing() {
        for header in [
            "en;q=\u{fffd}\u{fffd}",
            "ar;q=2",
            "ar;q=1.5",
            "ar;q=-1",
            "ar;q=0.+1",
            "ar;q=",
            ",,;;q=1,",
            "\0",
            "q=1",
        ] {
            assert_eq!(Language::accepted(header), None, "{header}");
        }
        assert_eq!(Language::accepted("ar;q=x, en;q=0.1"), Some(Language::En));
        let long = alloc::format!("{}ar", "x,".repeat(100_000));
        assert_eq!(Language::accepted(&long), None);
        assert_eq!(Language::accepted(&"ar-".repeat(100_000)), Some(Language::Ar));
    }
}
