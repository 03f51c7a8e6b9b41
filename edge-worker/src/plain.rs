//! What of a text that anyone may send is fit for the log: never what can be an id of a transaction, a key or a card
//! number.

use checkout_core::access::key::ApiKey;
use checkout_core::card::CardToken;
use checkout_core::value::id::SessionId;

/// The longest request id that a client may send along.
const MAX_REQUEST_ID: usize = 64;
/// The longest name of a directive, and the longest word that a browser gives for an address.
const MAX_WORD: usize = 40;
/// The longest host that is shown.
const MAX_HOST: usize = 100;
/// How many digits card numbers have.
const CARD_DIGITS: std::ops::RangeInclusive<usize> = 13..=19;
/// From how many letters and digits without a break a text can be a secret.
const SECRET_CHARS: usize = 32;
/// What is shown of everything else.
const OTHER: &str = "other";

/// Whether a client may choose this as the id of its request, which is in the log and in the answer.
pub(crate) fn is_request_id(id: &str) -> bool {
    (1..=MAX_REQUEST_ID).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        && SessionId::parse(id).is_none()
        && ApiKey::parse(id).is_none()
        && CardToken::parse(id).is_none()
        && (is_uuid(id) || !may_be_card(id))
}

/// 32 hexadecimal digits in five groups.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Whether some digits of a text, which may be grouped, can be a card number: as many, with a right check digit.
fn may_be_card(text: &str) -> bool {
    let together: String = text.chars().filter(|letter| !"-_. ".contains(*letter)).collect();
    let runs = together.split(|letter: char| !letter.is_ascii_digit());
    runs.filter(|run| CARD_DIGITS.contains(&run.len())).any(has_check_digit)
}

/// The algorithm of Luhn (ISO/IEC 7812-1, annex B).
fn has_check_digit(digits: &str) -> bool {
    let doubled = |digit: u32| {
        if digit > 4 { digit.saturating_mul(2).saturating_sub(9) } else { digit.saturating_mul(2) }
    };
    let values = digits.chars().rev().filter_map(|digit| digit.to_digit(10));
    let sum = values.zip([false, true].into_iter().cycle()).fold(0_u32, |sum, (digit, is_doubled)| {
        sum.saturating_add(if is_doubled { doubled(digit) } else { digit })
    });
    sum.is_multiple_of(10)
}

/// The name of a directive of the page's policy, as a browser reports it.
pub(crate) fn directive(text: &str) -> &str {
    if is_word(text) { text } else { OTHER }
}

fn is_word(text: &str) -> bool {
    (1..=MAX_WORD).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

/// What a browser blocked: scheme and host of an address, because paths contain session ids, or a word such as `inline`.
pub(crate) fn blocked(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        let word = address.split(':').next().unwrap_or_default();
        return directive(word).into();
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if is_word(scheme) && is_plain_host(host) { format!("{scheme}://{host}") } else { OTHER.into() }
}

fn is_plain_host(host: &str) -> bool {
    let longest = host.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::len).max();
    host.len() <= MAX_HOST
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte))
        && longest.is_none_or(|longest| longest < SECRET_CHARS)
        && !may_be_card(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ids_that_clients_use_for_requests_are_taken() {
        for id in [
            "a",
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "0f8fad5b-d9cb-469f-a165-70867728950e",
            "order-17.web_1",
            "1730000000",
            "20261123-051233-0001",
        ] {
            assert!(is_request_id(id), "{id}");
        }
    }

    #[test]
    fn what_can_be_a_secret_is_no_id_of_a_request() {
        let (session_id, key) = ("00".repeat(20), format!("aB3dE6gH.{}", "0".repeat(32)));
        let token = format!("card_{}", "1".repeat(32));
        for id in [
            "",
            "a b",
            "ü",
            &"a".repeat(65),
            &session_id,
            &key,
            &token,
            "4111111111111111",
            "pay-4111-1111-1111-1111",
            "4111.1111_1111-1111x",
        ] {
            assert!(!is_request_id(id), "{id}");
        }
        assert!(is_request_id("4111111111111112"), "its check digit is wrong");
    }

    #[test]
    fn of_a_report_only_words_and_hosts_are_shown() {
        assert_eq!(
            [directive("script-src-elem"), directive("a b"), directive("")],
            ["script-src-elem", OTHER, OTHER]
        );
        let long = "0".repeat(40);
        for (address, shown) in [
            ("inline", "inline"),
            ("wasm-eval", "wasm-eval"),
            ("data:text/html,secret", "data"),
            ("https://a.example.com/b?c", "https://a.example.com"),
            ("https://a.example.com?c", "https://a.example.com"),
            ("https://[::1]:8787/x", "https://[::1]:8787"),
            ("https://user:secret@a.example.com/", "https://a.example.com"),
            ("https://4111111111111111.example.com/", OTHER),
            (&format!("https://{long}.example.com/"), OTHER),
            (&long, OTHER),
            ("4111111111111111", OTHER),
            ("a secret", OTHER),
            ("", OTHER),
        ] {
            assert_eq!(blocked(address), shown, "{address}");
        }
    }
}
