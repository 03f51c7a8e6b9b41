//! How what there is to say reads: as an e-mail, as an SMS, and as a message of `WhatsApp`.

use alloc::borrow::Cow;
use alloc::string::String;

use super::email;
use super::facts::MessageFacts;
use super::wording::Wording;
use crate::messenger::letter::{Email, Letter, LetterContent};
use crate::value::phone::Phone;
use crate::value::text::without_bidi_controls;
use crate::words::message::Channel;

pub use super::wording::{MAX_PARTS, MessageScene};

/// Why a message cannot be sent, for the merchant to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsendable {
    /// The payer's telephone number is none.
    NotPhone,
}

impl Unsendable {
    /// In words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotPhone => "customer_phone is not a telephone number with its country",
        }
    }
}

/// The message by a channel.
///
/// # Errors
/// If there is no such recipient.
pub fn letter(
    id: &str,
    facts: &MessageFacts,
    channel: Channel,
    scene: MessageScene<'_>,
) -> Result<Letter, Unsendable> {
    let wording = Wording::of(facts, scene);
    let content = match channel {
        Channel::Email => LetterContent::Email(email_of(&wording)),
        Channel::Sms => LetterContent::Sms(wording.sms()),
        Channel::Whatsapp => LetterContent::Whatsapp(wording.template()),
    };
    let to = match channel {
        Channel::Email => facts.to.clone(),
        Channel::Sms | Channel::Whatsapp => {
            Phone::parse(&facts.to, &scene.settings.country).ok_or(Unsendable::NotPhone)?.e164()
        }
    };
    Ok(Letter { id: id.into(), to, content })
}

/// The e-mail.
fn email_of(wording: &Wording<'_>) -> Email {
    let order = wording.facts.order_no.as_deref().map(without_bidi_controls);
    let mut subject = String::from(wording.words.title);
    for part in [Some(Cow::Borrowed(&*wording.merchant)), order].into_iter().flatten() {
        subject.push_str(" · ");
        subject.push_str(&part);
    }
    let mut email = Email::new(&wording.merchant, &subject, email::html(wording), wording.plain());
    email.reply_to.clone_from(&wording.brand.support.email);
    email
}
