//! Texts of gateways, made fit to be stored: one line, no card number, no secret.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};

use url::{Host, Url};

/// The most characters that are stored of any text of a gateway.
pub(crate) const MAX_TEXT_CHARS: usize = 255;
/// The longest address of a page.
const MAX_PAGE_URL_CHARS: usize = 2_000;

/// What is reported of `known`, each value as one line.
pub(crate) fn params(known: &[(&str, Option<&str>)]) -> BTreeMap<String, String> {
    let mut params = BTreeMap::new();
    for (key, value) in known {
        if let Some(value) = value.and_then(line) {
            params.insert((*key).to_string(), value);
        }
    }
    params
}

/// At most the first six and the last four digits may show (PCI DSS 3.4.1).
pub(crate) fn is_in_the_clear(number: &str) -> bool {
    number.chars().filter(char::is_ascii_digit).count() > 10
}

/// A card number with at most its first six and last four digits.
pub(crate) fn masked(number: &str) -> String {
    if !is_in_the_clear(number) {
        return number.to_string();
    }
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let hidden = digits.chars().count().saturating_sub(4);
    digits
        .char_indices()
        .map(|(place, digit)| if (6..hidden).contains(&place) { '*' } else { digit })
        .collect()
}

/// One line of at most [`MAX_TEXT_CHARS`] characters; `None` for nothing.
pub(crate) fn line(text: &str) -> Option<String> {
    let line: String =
        text.chars().filter(|character| !character.is_control()).take(MAX_TEXT_CHARS).collect();
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_string())
}

/// One line of a gateway's own words; `None` if a card number may be among them.
pub(crate) fn words(text: &str) -> Option<String> {
    line(text).filter(|words| !is_in_the_clear(words))
}

/// An id that is safe as a segment of a path: `prefix`, then more letters, digits and `marks`, at most `max` in all; `None` for
/// any other text.
#[cfg(any(
    feature = "checkout_com",
    feature = "stripe",
    feature = "tabby",
    feature = "tamara",
    feature = "tap"
))]
pub(crate) fn segment<'i>(text: &'i str, prefix: &str, marks: &[u8], max: usize) -> Option<&'i str> {
    let is_safe = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte));
    (text.len() <= max && text.len() > prefix.len() && text.starts_with(prefix) && is_safe).then_some(text)
}

/// The address of a page to which a payer may be sent: https, or http on this machine.
pub(crate) fn page_address(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_loopback = match url.host()? {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    let is_allowed = match url.scheme() {
        "https" => true,
        "http" => is_loopback,
        _ => false,
    };
    let has_user = !url.username().is_empty() || url.password().is_some();
    (is_allowed && !has_user && url.as_str().len() <= MAX_PAGE_URL_CHARS).then(|| url.into())
}
