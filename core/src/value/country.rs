//! Country codes: ISO 3166-1 alpha-2.

/// The second letters of the codes that begin with A, with B, and so on.
const SECOND_LETTERS: [&str; 26] = [
    "DEFGILMOQRSTUWXZ",
    "ABDEFGHIJLMNOQRSTVWYZ",
    "ACDFGHIKLMNORUVWXYZ",
    "EJKMOZ",
    "CEGHRST",
    "IJKMOR",
    "ABDEFGHILMNPQRSTUWY",
    "KMNRTU",
    "DELMNOQRST",
    "EMOP",
    "EGHIMNPRWYZ",
    "ABCIKRSTUVY",
    "ACDEFGHKLMNOPQRSTUVWXYZ",
    "ACEFGILOPRUZ",
    "M",
    "AEFGHKLMNRSTWY",
    "A",
    "EOSUW",
    "ABCDEGHIJKLMNORSTVXYZ",
    "CDFGHJKLMNORTVWZ",
    "AGMSYZ",
    "ACEGINU",
    "FS",
    "",
    "ET",
    "AMW",
];

/// Whether a text is the code of a country: two upper-case letters of the list.
#[must_use]
pub(crate) fn is_country(code: &str) -> bool {
    let &[first, second] = code.as_bytes() else { return false };
    let place = first.checked_sub(b'A').map(usize::from);
    place
        .and_then(|place| SECOND_LETTERS.get(place))
        .is_some_and(|letters| letters.as_bytes().contains(&second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_249_countries_each_once() {
        let letters = SECOND_LETTERS.iter().map(|letters| letters.as_bytes());
        assert!(letters.clone().all(|letters| letters.windows(2).all(|pair| pair[0] < pair[1])));
        assert_eq!(letters.map(<[u8]>::len).sum::<usize>(), 249);
    }

    #[test]
    fn codes_are_found_and_other_texts_are_not() {
        for code in ["AD", "KW", "SA", "ZW", "AX", "TF"] {
            assert!(is_country(code), "{code}");
        }
        for text in ["", "K", "kw", "KWT", "XX", "K ", "@A", "[A", "AA", "Z\u{e9}"] {
            assert!(!is_country(text), "{text}");
        }
    }
}
