//! The page of an inbox: the webhooks that it received, newest first, and the choice of what it answers.

use checkout_core::words::Language;
use maud::{Markup, html};

use super::{InboxAnswer, Webhook};
use crate::sandbox::SandboxReply;
use crate::sandbox::document::{Document, FormTarget};

/// How deep JSON is indented before it is shown as it came.
const MAX_DEPTH: usize = 32;

/// The page.
pub(super) fn render(name: &str, answer: InboxAnswer, webhooks: &[Webhook]) -> SandboxReply {
    Document {
        status: 200,
        language: Language::En,
        title: "Webhook inbox · Sandbox",
        forms: FormTarget::Own,
        header: html! {
            strong { "Sandbox inbox " bdi { (name) } }
            span.mode { "Test mode: no money moves" }
            a href=(address(name)) { "Refresh" }
        },
        main: html! {
            h1 { "Webhooks received" }
            (answer_form(name, answer))
            @if webhooks.is_empty() {
                p { "None yet. Use this address as " code { "webhook_url" } " of a payment transaction." }
            }
            @for webhook in webhooks { (entry(webhook)) }
        },
    }
    .reply()
}

fn address(name: &str) -> String {
    format!("/sandbox/inbox/{name}/")
}

fn answer_form(name: &str, current: InboxAnswer) -> Markup {
    html! {
        form method="post" action={ (address(name)) "answer/" } {
            label for="answer" { "From now on it answers" }
            div.buttons {
                select id="answer" name="answer" {
                    @for answer in InboxAnswer::ALL {
                        option value=(answer.as_str()) selected[answer == current] { (label(answer)) }
                    }
                }
                button type="submit" { "Change" }
            }
        }
    }
}

fn label(answer: InboxAnswer) -> &'static str {
    match answer {
        InboxAnswer::Ok => "200: taken, the payer is redirected",
        InboxAnswer::Created => "201: taken, the payer stays at the checkout",
        InboxAnswer::Error => "500: fails, the webhook is retried",
        InboxAnswer::Hang => "nothing: hangs, the webhook is retried",
    }
}

fn entry(webhook: &Webhook) -> Markup {
    html! {
        article {
            h2 { time datetime=(webhook.received_at) { (webhook.received_at) } }
            p { "Answered: " (webhook.answered.as_str()) }
            dl {
                @for (name, value) in &webhook.headers {
                    dt { code { (name) } }
                    dd { bdi dir="ltr" { (value) } }
                }
            }
            pre tabindex="0" aria-label="body" { (indented(&webhook.body)) }
        }
    }
}

/// JSON on many lines, its members, numbers and escapes exactly as they came; any other text as it is.
fn indented(text: &str) -> String {
    if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len().saturating_mul(2));
    let mut depth = 0_usize;
    let mut is_text = false;
    let mut is_escaped = false;
    let mut before = ' ';
    for character in text.chars() {
        if is_text {
            shown.push(character);
            is_text = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            continue;
        }
        if character.is_ascii_whitespace() {
            continue;
        }
        if matches!(character, '}' | ']') {
            depth = depth.saturating_sub(1);
        }
        let is_empty_pair = matches!((before, character), ('{', '}') | ('[', ']'));
        if matches!(before, '{' | '[' | ',') != matches!(character, '}' | ']') && !is_empty_pair
            || before == ','
        {
            break_line(&mut shown, depth);
        }
        shown.push(character);
        match character {
            '{' | '[' => depth = depth.saturating_add(1),
            ':' => shown.push(' '),
            '"' => is_text = true,
            _ => (),
        }
        before = character;
    }
    shown
}

fn break_line(shown: &mut String, depth: usize) {
    shown.push('\n');
    shown.extend(core::iter::repeat_n("  ", depth.min(MAX_DEPTH)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkout_core::value::time::Timestamp;

    #[test]
    fn json_is_shown_on_many_lines_with_its_members_as_they_came() {
        assert_eq!(
            indented(r#"{"z":1.50,"a":"{,\"[\\","list":[1,2],"none":{},"no":[]}"#),
            "{\n  \"z\": 1.50,\n  \"a\": \"{,\\\"[\\\\\",\n  \"list\": [\n    1,\n    2\n  ],\n  \"none\": {},\n  \"no\": []\n}"
        );
        assert_eq!(indented(r#"[{"a":"b"}]"#), "[\n  {\n    \"a\": \"b\"\n  }\n]");
        assert_eq!(indented(" 7 "), "7");
    }

    #[test]
    fn what_is_no_json_is_shown_as_it_came() {
        for text in ["", "a { b", "{\"a\":", "<b>"] {
            assert_eq!(indented(text), text);
        }
    }

    #[test]
    fn what_was_received_is_shown_as_text() {
        let webhook = Webhook {
            received_at: Timestamp::from_millis(0),
            answered: InboxAnswer::Error,
            headers: [("webhook-id".into(), "\"><script>".into())].into(),
            body: "<script>alert(1)</script>".into(),
        };
        let page = String::from_utf8(render("demo", InboxAnswer::Hang, &[webhook]).body).unwrap();
        assert!(!page.contains("<script>"));
        assert!(page.contains("&lt;script&gt;alert(1)"));
        assert!(page.contains(r#"<option value="hang" selected>"#));
        assert!(page.contains("1970-01-01T00:00:00Z"));
    }
}
