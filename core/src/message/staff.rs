//! Letters to a merchant's staff: what is stored of one, and how it reads. Everything in it that someone chose is escaped.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::email::Html;
use crate::approval::stage::ApprovalState;
use crate::messenger::letter::{Email, Letter, LetterContent};
use crate::value::text::without_bidi_controls;
use crate::wire::tree::Tree;
use crate::words::ChildOperation;

const DECIDE: &str = "Look at the payment, and approve or reject the request.";
const DONE: &str = "Nothing is left to do.";
const FAILED: &str = "Nothing was moved. The request says why; ask again for what is still wanted.";
const REJECTED: &str = "Nothing was moved. The request says who rejected it, and why.";
const EXPIRED: &str = "Nothing was moved. Ask again if it is still wanted.";

/// A letter to one of a merchant's staff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct StaffLetter {
    /// To whom.
    pub to: String,
    /// The subject, which is also the heading.
    pub subject: String,
    /// What happened, and what is to be done.
    pub text: String,
    /// Names and values.
    pub facts: Vec<[String; 2]>,
    /// Where it leads, sealed: only the reader of the letter is to know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl StaffLetter {
    /// What a body says; `None` if it is no such letter.
    #[must_use]
    pub(crate) fn read(body: &str) -> Option<Self> {
        let tree = Tree::parse(body)?;
        let text = |name: &str| tree.get(name)?.text().map(String::from);
        let fact = |tree: &Tree<'_>| match tree.items() {
            [name, value] => Some([name.text()?.into(), value.text()?.into()]),
            _ => None,
        };
        let facts = tree.get("facts")?.items().iter().map(fact).collect::<Option<_>>()?;
        let link = text("link");
        Some(Self { to: text("to")?, subject: text("subject")?, text: text("text")?, facts, link })
    }

    /// The e-mail, with the address to which it leads.
    #[must_use]
    pub(crate) fn letter(&self, id: &str, address: Option<&str>) -> Letter {
        let email = Email::new("Till", &self.subject, self.html(address), self.plain(address));
        Letter { id: id.into(), to: self.to.clone(), content: LetterContent::Email(email) }
    }

    fn plain(&self, address: Option<&str>) -> String {
        let mut text = [self.subject.as_str(), "\n\n", &self.text, "\n"].concat();
        if let Some(address) = address {
            text.extend(["\n", address, "\n"]);
        }
        for [name, value] in &self.facts {
            text.extend(["\n", name, ": ", &without_bidi_controls(value)]);
        }
        text
    }

    fn html(&self, address: Option<&str>) -> String {
        const STYLE: &str = "font-family:-apple-system,'Segoe UI',Roboto,Tahoma,Arial,sans-serif;color:#14181f;font-size:15px;line-height:22px";
        let mut html = Html::default();
        html.tag("<!doctype html><html lang=\"en\" dir=\"ltr\"><head><meta charset=\"utf-8\">");
        html.tag("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>");
        html.text(&self.subject).tag("</title></head><body style=\"margin:0;padding:24px;").tag(STYLE);
        html.tag("\"><h1 style=\"margin:0 0 12px;font-size:20px;line-height:28px\">").text(&self.subject);
        html.tag("</h1><p style=\"margin:0 0 16px\">").text(&self.text).tag("</p>");
        if let Some(address) = address {
            html.tag("<p style=\"margin:0 0 16px;word-break:break-all\"><a href=\"").text(address).tag("\">");
            html.text(address).tag("</a></p>");
        }
        html.tag("<p>");
        for [name, value] in &self.facts {
            html.text(name).tag(": <bdi style=\"word-break:break-all\">");
            html.text(&without_bidi_controls(value)).tag("</bdi><br>");
        }
        html.tag("</p></body></html>").take()
    }
}

/// What a user is written to about their own access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UserNotice {
    /// They are invited.
    Invited,
    /// Someone says that they forgot their password.
    LostPassword,
    /// Their second factor was removed.
    FactorRemoved,
    /// They signed in from a device that was not seen before.
    NewDevice,
}

impl UserNotice {
    /// The subject, and what is to be done.
    #[must_use]
    pub(crate) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Invited => (
                "You are invited to the desk",
                "Open this address and choose a password. It works once, until the time below.",
            ),
            Self::LostPassword => (
                "Choose a new password",
                "Someone, probably you, asked for a new password. Open this address and choose one. It works once, until the time \
                 below. If it was not you, do nothing.",
            ),
            Self::FactorRemoved => (
                "Your second factor was removed",
                "Your authenticator app and your recovery codes sign you in no longer. Set an app up with your next sign-in. If you \
                 did not ask for this, speak to who manages access in your business.",
            ),
            Self::NewDevice => (
                "A sign-in from a new device",
                "Your password was given on a device that was not seen before. If it was not you, choose another password, and speak \
                 to who manages access in your business.",
            ),
        }
    }
}

/// What is said to those who can approve.
#[must_use]
pub(crate) const fn waits(operation: ChildOperation) -> (&'static str, &'static str) {
    match operation {
        ChildOperation::Refund => ("A refund waits for approval", DECIDE),
        ChildOperation::Void | ChildOperation::Capture => ("A void waits for approval", DECIDE),
    }
}

/// What is said to who asked for a request that has ended; `None` if it has not, or they ended it.
#[must_use]
pub(crate) const fn ended(
    operation: ChildOperation,
    state: ApprovalState,
) -> Option<(&'static str, &'static str)> {
    let is_refund = matches!(operation, ChildOperation::Refund);
    Some(match state {
        ApprovalState::Done if is_refund => ("Your refund was approved and done", DONE),
        ApprovalState::Done => ("Your void was approved and done", DONE),
        ApprovalState::Failed if is_refund => ("Your refund was approved and failed", FAILED),
        ApprovalState::Failed => ("Your void was approved and failed", FAILED),
        ApprovalState::Rejected if is_refund => ("Your refund was rejected", REJECTED),
        ApprovalState::Rejected => ("Your void was rejected", REJECTED),
        ApprovalState::Expired if is_refund => ("Nobody decided about your refund", EXPIRED),
        ApprovalState::Expired => ("Nobody decided about your void", EXPIRED),
        ApprovalState::Asked | ApprovalState::Approved | ApprovalState::Withdrawn => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_read_back_and_escapes_what_someone_chose() {
        let letter = StaffLetter {
            to: "a@shop.example".into(),
            subject: "A refund waits".into(),
            text: "Decide.".into(),
            facts: [["Note".into(), "<b>\u{202e}x".into()]].into(),
            link: Some("v1.sealed".into()),
        };
        let body = serde_json::to_string(&letter).unwrap();
        assert_eq!(StaffLetter::read(&body), Some(letter.clone()));
        let address = Some("https://desk.example.com/a");
        assert!(letter.html(address).contains("&lt;b&gt;x") && letter.plain(None).contains("Note: <b>x"));
        assert!(letter.html(address).contains("<a href=\"https://desk.example.com/a\">"));
        assert!(letter.plain(address).contains("\nhttps://desk.example.com/a\n"));
        assert!(!letter.html(None).contains("sealed"));
        assert_eq!(StaffLetter::read("{}"), None);
    }
}
