//! Letters to a merchant's staff: what is stored of one, and how it reads. Everything in it that someone chose is escaped.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::email::Html;
use crate::approval::stage::ApprovalState;
use crate::messenger::letter::{Email, Letter, LetterContent};
use crate::strings::staff::{Said, StaffWords};
use crate::value::text::without_bidi_controls;
use crate::wire::tree::Tree;
use crate::words::{ChildOperation, Language};

/// A letter to one of a merchant's staff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct StaffLetter {
    /// To whom.
    pub to: String,
    /// In which language it is written.
    pub language: Language,
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
        // Letters that were stored before name no language.
        let language = text("language").as_deref().and_then(Language::parse).unwrap_or_default();
        let (subject, link) = (text("subject")?, text("link"));
        Some(Self { to: text("to")?, language, subject, text: text("text")?, facts, link })
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
        html.tag("<!doctype html><html lang=\"").tag(self.language.as_str()).tag("\" dir=\"");
        html.tag(self.language.direction()).tag("\"><head><meta charset=\"utf-8\">");
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

/// What is said to who asked for a request that has ended; `None` if it has not, or they ended it.
#[must_use]
pub(crate) const fn ended(
    language: Language,
    operation: ChildOperation,
    state: ApprovalState,
) -> Option<Said> {
    let words = StaffWords::of(language);
    let ended = match state {
        ApprovalState::Done => &words.done,
        ApprovalState::Failed => &words.failed,
        ApprovalState::Rejected => &words.rejected,
        ApprovalState::Expired => &words.expired,
        ApprovalState::Asked | ApprovalState::Approved | ApprovalState::Withdrawn => return None,
    };
    let is_refund = matches!(operation, ChildOperation::Refund);
    Some((if is_refund { ended.refund } else { ended.void }, ended.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_read_back_and_escapes_what_someone_chose() {
        let letter = StaffLetter {
            to: "a@shop.example".into(),
            language: Language::Ar,
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
        assert!(letter.html(None).contains("<html lang=\"ar\" dir=\"rtl\">"));
        let older = body.replace("\"language\":\"ar\",", "");
        assert_eq!(StaffLetter::read(&older), Some(StaffLetter { language: Language::En, ..letter }));
        assert_eq!(StaffLetter::read("{}"), None);
    }
}
