//! One message as a provider is given it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::words::Language;

/// One message to one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Our id of it, the same with every try.
    pub id: String,
    /// An e-mail address, or a number of E.164 with its plus.
    pub to: String,
    /// What it says.
    pub content: LetterContent,
}

/// What a message says, by its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LetterContent {
    /// By e-mail.
    Email(Email),
    /// By SMS.
    Sms(String),
    /// By `WhatsApp`.
    Whatsapp(Template),
}

/// An e-mail, about anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email {
    /// Who writes, next to the address of the account.
    pub from_name: String,
    /// Where answers go.
    pub reply_to: Option<String>,
    /// One line.
    pub subject: String,
    /// A whole document.
    pub html: String,
    /// The same as plain text.
    pub text: String,
}

/// A template that `WhatsApp` approved, filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its name, or the provider's id of it; empty where the provider needs none.
    pub name: String,
    /// In which of its languages.
    pub language: Language,
    /// What is in its places, in order.
    pub parameters: Vec<String>,
    /// What it says, for those who read about it.
    pub text: String,
}

impl Email {
    /// An e-mail whose lines cannot become headers: line breaks and other controls are spaces in them.
    #[must_use]
    pub fn new(from_name: &str, subject: &str, html: String, text: String) -> Self {
        Self { from_name: line(from_name), reply_to: None, subject: line(subject), html, text }
    }
}

/// A text as one line of a header.
fn line(text: &str) -> String {
    text.chars().map(|character| if is_break(character) { ' ' } else { character }).collect()
}

fn is_break(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_an_e_mail_can_become_a_header() {
        let email = Email::new("Shop\r\nBcc: x@example.com", "A\nB\u{2028}C\0", String::new(), String::new());
        assert_eq!(email.from_name, "Shop  Bcc: x@example.com");
        assert_eq!(email.subject, "A B C ");
    }
}
