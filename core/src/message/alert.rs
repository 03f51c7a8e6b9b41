//! Alerts by e-mail: what is stored of one, and how it reads. Everything in it that a merchant or a gateway chose is escaped.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::email::Html;
use crate::messenger::letter::{Email, Letter, LetterContent};
use crate::record::attention::{Reason, Topic};
use crate::strings::alert::{advice, reason, title};
use crate::value::text::without_bidi_controls;
use crate::wire::tree::Tree;

/// What a stored alert says to one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AlertLetter {
    to: String,
    topic: Topic,
    merchant: String,
    count: usize,
    entries: Vec<AlertLine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct AlertLine {
    reason: Reason,
    /// Names and values, in the order of the reader.
    facts: Vec<(&'static str, String)>,
}

/// The body of the message to one recipient; `alert` is the body of the webhook.
#[must_use]
pub fn body(to: &str, alert: &str) -> Option<String> {
    let alert = Tree::parse(alert)?;
    let members = [("alert".into(), alert), ("to".into(), Tree::Text(to.into()))];
    Some(Tree::Object(members.into_iter().collect()).to_json())
}

impl AlertLetter {
    /// What a body says; `None` if it is no alert.
    #[must_use]
    pub(crate) fn read(body: &str) -> Option<Self> {
        let tree = Tree::parse(body)?;
        let data = tree.get("alert")?.get("data")?;
        let entries: Vec<AlertLine> =
            data.get("entries")?.items().iter().filter_map(AlertLine::read).collect();
        Some(Self {
            to: tree.get("to")?.text()?.into(),
            topic: Topic::parse(data.get("topic")?.text()?)?,
            merchant: data.get("merchant_id")?.text()?.into(),
            count: match data.get("count")? {
                Tree::Other(number) => number.get().parse().ok()?,
                Tree::Text(_) | Tree::Object(_) | Tree::List(_) | Tree::Hidden(..) => return None,
            },
            entries,
        })
    }

    /// The e-mail.
    #[must_use]
    pub(crate) fn letter(&self, id: &str) -> Letter {
        let subject = format!("{} · {}", title(self.topic), self.merchant);
        let email = Email::new("Till", &subject, self.html(), self.plain());
        Letter { id: id.into(), to: self.to.clone(), content: LetterContent::Email(email) }
    }

    fn summary(&self) -> String {
        let entries = if self.count == 1 { "entry is" } else { "entries are" };
        format!("{} {entries} new on the attention list of {}.", self.count, self.merchant)
    }

    /// What is said of entries that are not listed.
    fn rest(&self) -> Option<String> {
        let rest = self.count.saturating_sub(self.entries.len());
        (rest > 0).then(|| format!("And {rest} more."))
    }

    fn plain(&self) -> String {
        let mut text = format!("{}\n\n{}\n{}\n", title(self.topic), self.summary(), advice(self.topic));
        for entry in &self.entries {
            text.extend(["\n", reason(entry.reason), "\n"]);
            for (name, value) in &entry.facts {
                text.extend(["  ", name, ": ", value, "\n"]);
            }
        }
        text.extend(self.rest().map(|rest| format!("\n{rest}\n")));
        text
    }

    fn html(&self) -> String {
        const STYLE: &str = "font-family:-apple-system,'Segoe UI',Roboto,Tahoma,Arial,sans-serif;color:#14181f;font-size:15px;line-height:22px";
        let mut html = Html::default();
        html.tag("<!doctype html><html lang=\"en\" dir=\"ltr\"><head><meta charset=\"utf-8\">");
        html.tag("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>");
        html.text(title(self.topic)).tag("</title></head><body style=\"margin:0;padding:24px;").tag(STYLE);
        html.tag("\"><h1 style=\"margin:0 0 12px;font-size:20px;line-height:28px\">").text(title(self.topic));
        html.tag("</h1><p style=\"margin:0 0 8px\">").text(&self.summary());
        html.tag("</p><p style=\"margin:0 0 16px\">").text(advice(self.topic)).tag("</p>");
        for entry in &self.entries {
            html.tag("<p style=\"margin:0 0 14px\"><strong>").text(reason(entry.reason)).tag("</strong>");
            for (name, value) in &entry.facts {
                html.tag("<br>").text(name).tag(": <span dir=\"ltr\" style=\"word-break:break-all\">");
                html.text(value).tag("</span>");
            }
            html.tag("</p>");
        }
        if let Some(rest) = self.rest() {
            html.tag("<p>").text(&rest).tag("</p>");
        }
        html.tag("</body></html>").take()
    }
}

impl AlertLine {
    fn read(tree: &Tree<'_>) -> Option<Self> {
        let fact = |name: &'static str, member: &str| {
            let value = tree.get(member).and_then(Tree::text)?;
            Some((name, without_bidi_controls(value).to_string()))
        };
        let facts = [
            fact("Reference number", "reference_number"),
            fact("Session", "session_id"),
            fact("Since", "since"),
            fact("Detail", "detail"),
        ];
        Some(Self {
            reason: Reason::parse(tree.get("reason")?.text()?)?,
            facts: facts.into_iter().flatten().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALERT: &str = r#"{"data":{"count":12,"entries":[{"detail":"<b>\u202Egone</b>","reason":"receiver_disabled","reference_number":"ALERT1","session_id":null,"since":"2026-01-01T00:00:00Z"}],"merchant_id":"demo","topic":"webhook"},"timestamp":"2026-01-01T00:00:00Z","type":"alert.raised"}"#;

    #[test]
    fn an_alert_counts_all_lists_some_and_escapes_what_others_wrote() {
        let reported = AlertLetter::read(&body("ops@example.com", ALERT).unwrap()).unwrap();
        let letter = reported.letter("alert_1");
        assert_eq!(letter.to, "ops@example.com");
        let LetterContent::Email(email) = letter.content else { panic!("{letter:?}") };
        assert_eq!(email.subject, "Webhooks do not arrive · demo");
        assert!(
            email.text.contains("12 entries are new") && email.text.contains("And 11 more."),
            "{}",
            email.text
        );
        assert!(email.text.contains("Reference number: ALERT1"), "{}", email.text);
        assert!(email.html.contains("&lt;b&gt;gone&lt;/b&gt;"), "{}", email.html);
        assert!(!email.html.contains("Session"), "what there is not is not said: {}", email.html);
    }

    #[test]
    fn what_is_no_alert_is_not_sent() {
        for text in ["", "{}", r#"{"to":"a@example.com"}"#, r#"{"alert":{"data":{}},"to":"a@example.com"}"#] {
            assert_eq!(AlertLetter::read(text), None, "{text}");
        }
        assert_eq!(body("a@example.com", "no JSON"), None);
    }
}
