//! What helps a payer whose payment did not succeed: whether they were charged, and how they reach the merchant.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scene::{PageScene, brand_of, clean};
use crate::attempt::Attempt;
use crate::settings::brand::Support;
use crate::strings::Strings;
use crate::strings::screen::PageStatus;
use crate::words::Language;

/// The most characters of an order number that a prefilled message names.
const MAX_ORDER_NO: usize = 64;

/// What helps the payer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Guidance {
    /// Whether the payer certainly was not charged: every attempt has ended, and none with a success.
    pub is_uncharged: bool,
    /// How the payer reaches the merchant.
    pub contacts: Vec<Contact>,
}

/// What a payer may want of the merchant.
#[derive(Clone, Copy)]
pub(in crate::checkout) struct Wanted<'a> {
    /// The screen.
    pub(in crate::checkout) status: PageStatus,
    /// The language of the page.
    pub(in crate::checkout) language: Language,
    /// What names the payment: the order number or the session id.
    pub(in crate::checkout) subject: &'a str,
}

/// One way to reach the merchant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// Which.
    pub channel: ContactChannel,
    /// The address of the link, with a message that asks for a new link if that is what the payer needs.
    pub url: String,
    /// What is shown: the mailbox or the number.
    pub shown: String,
}

/// Where a contact leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactChannel {
    /// `WhatsApp`.
    WhatsApp,
    /// A telephone.
    Phone,
    /// A mailbox.
    Email,
}

impl Guidance {
    /// The guidance of a scene.
    pub(super) fn of(scene: &PageScene<'_>, status: PageStatus) -> Self {
        let mut all = scene.latest.into_iter().chain(scene.attempts);
        let is_uncharged = !status.is_awaited() && all.all(Attempt::is_unpaid);
        let language = scene.language.unwrap_or(scene.transaction.details.language());
        let order_no = scene.transaction.details.order_no.as_deref();
        let subject = order_no.unwrap_or(scene.transaction.session_id.as_str());
        let brand = brand_of(scene.transaction, &scene.situation.settings);
        Self::new(is_uncharged, &brand.support, Wanted { status, language, subject })
    }

    /// The guidance of a screen.
    pub(in crate::checkout) fn new(is_uncharged: bool, support: &Support, wanted: Wanted<'_>) -> Self {
        let status = wanted.status;
        if status.is_success() || status == PageStatus::Payable || status.is_awaited() && !is_slow(status) {
            return Self::default();
        }
        let message = needs_link(wanted.status).then(|| {
            let words = Strings::of(wanted.language).guide().new_link_message;
            format!("{words} {}", short(&clean(wanted.subject)))
        });
        Self { is_uncharged, contacts: contacts(support, message.as_deref()) }
    }
}

const fn is_slow(status: PageStatus) -> bool {
    matches!(status, PageStatus::Late | PageStatus::Held)
}

/// Whether a payer can only pay with a new link.
const fn needs_link(status: PageStatus) -> bool {
    matches!(status, PageStatus::Expired | PageStatus::Canceled | PageStatus::Invalid | PageStatus::Failed)
}

fn short(order_no: &str) -> String {
    order_no.chars().take(MAX_ORDER_NO).collect()
}

fn contacts(support: &Support, message: Option<&str>) -> Vec<Contact> {
    let text = message.map(percent_encoded);
    let with = |base: String, name: &str| match &text {
        Some(text) => format!("{base}?{name}={text}"),
        None => base,
    };
    let whatsapp = support.whatsapp.as_ref().map(|number| Contact {
        channel: ContactChannel::WhatsApp,
        url: with(format!("https://wa.me/{}", number.trim_start_matches('+')), "text"),
        shown: number.clone(),
    });
    let phone = support.phone.as_ref().map(|number| Contact {
        channel: ContactChannel::Phone,
        url: format!("tel:{number}"),
        shown: number.clone(),
    });
    let email = support.email.as_ref().map(|mailbox| Contact {
        channel: ContactChannel::Email,
        url: with(format!("mailto:{}", encoded_mailbox(mailbox)), "body"),
        shown: clean(mailbox),
    });
    whatsapp.into_iter().chain(phone).chain(email).collect()
}

/// A mailbox in an address (RFC 6068): what could begin a header or a fragment is encoded.
fn encoded_mailbox(mailbox: &str) -> String {
    let (local, domain) = mailbox.rsplit_once('@').unwrap_or((mailbox, ""));
    format!("{}@{}", percent_encoded(local), percent_encoded(domain))
}

/// Every byte but letters, digits, `-`, `.`, `_` and `~` (RFC 3986).
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.extend([byte.div_euclid(16), byte.rem_euclid(16)].map(digit));
        }
    }
    encoded
}

fn digit(value: u8) -> char {
    char::from_digit(value.into(), 16).unwrap_or_default().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn support() -> Support {
        Support {
            email: Some("help+pay&cc=x@shop.example".to_string()),
            phone: Some("+96522212345".to_string()),
            whatsapp: Some("+96599912345".to_string()),
        }
    }

    #[test]
    fn a_contact_is_a_link_whose_message_cannot_add_anything_to_it() {
        let links = contacts(&support(), Some("A link for \r\nBcc: x&subject=y #1 \u{643}"));
        let urls: Vec<&str> = links.iter().map(|contact| contact.url.as_str()).collect();
        let text = "A%20link%20for%20%0D%0ABcc%3A%20x%26subject%3Dy%20%231%20%D9%83";
        assert_eq!(
            urls,
            [
                format!("https://wa.me/96599912345?text={text}").as_str(),
                "tel:+96522212345",
                format!("mailto:help%2Bpay%26cc%3Dx@shop.example?body={text}").as_str(),
            ]
        );
        assert_eq!(contacts(&Support::default(), None), []);
        let plain = contacts(&support(), None);
        assert!(plain.iter().all(|contact| !contact.url.contains('?')), "{plain:?}");
    }
}
