//! The page of an inbox: the webhooks that it received, newest first, and the choice of what it answers.

use std::fmt::Write as _;

use checkout_core::route::Route;
use checkout_core::value::id::SessionId;
use checkout_core::words::Language;
use maud::{Markup, html};

use super::change::InboxChange;
use super::{InboxAnswer, Webhook};
use crate::sandbox::SandboxReply;
use crate::sandbox::document::{Document, FormTarget};
use crate::sandbox::phrases::{Both, TEST_MODE};

/// How deep JSON is indented before it is shown as it came.
const MAX_DEPTH: usize = 32;

/// The operations of a webhook about a payment, and not about something that was done to it later.
const PAYMENTS: [&str; 2] = ["payment", "authorization"];

/// A webhook as it is shown.
pub(super) struct InboxEntry<'w> {
    /// What was received.
    pub(super) webhook: &'w Webhook,
    /// What it says.
    pub(super) change: InboxChange,
    /// Whether the merchant of its transaction signed exactly these bytes.
    pub(super) is_signed: bool,
}

const TITLE: Both = Both { en: "Webhooks received", ar: "الإشعارات الواردة" };
const INBOX: Both = Both { en: "Sandbox inbox", ar: "صندوق الوارد التجريبي" };
const REFRESH: Both = Both { en: "Refresh", ar: "تحديث" };
const HOME: Both = Both { en: "Start page", ar: "الصفحة الرئيسية" };
const OTHER: Both = Both { en: "العربية", ar: "English" };
const EMPTY: Both = Both {
    en: "None yet. Use this address as webhook_url of a payment transaction.",
    ar: "لا توجد إشعارات بعد. استخدم هذا العنوان في webhook_url عند إنشاء عملية دفع.",
};
const ANSWERS: Both = Both { en: "From now on it answers", ar: "الرد من الآن فصاعدًا" };
const CHANGE: Both = Both { en: "Change", ar: "تغيير" };
const ANSWERED: Both = Both { en: "Answered", ar: "تم الرد" };
const SIGNED: Both = Both { en: "Signature verified ✓", ar: "تم التحقق من التوقيع ✓" };
const UNSIGNED: Both =
    Both { en: "Signature not verified", ar: "لم يتم التحقق من التوقيع" };
const UNKNOWN: Both = Both { en: "Webhook", ar: "إشعار" };
const BODY: Both = Both { en: "Body", ar: "المحتوى" };
const PAGE: Both = Both { en: "Payment page", ar: "صفحة الدفع" };
const CURL: Both =
    Both { en: "Send it again with curl", ar: "الإرسال مجددًا باستخدام curl" };

/// The page.
pub(super) fn render(
    name: &str,
    answer: InboxAnswer,
    entries: &[InboxEntry<'_>],
    language: Language,
) -> SandboxReply {
    let other = match language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    };
    Document {
        status: 200,
        language,
        title: &format!("{} · {}", TITLE.of(language), INBOX.of(language)),
        forms: FormTarget::Own,
        script: None,
        header: html! {
            strong { (INBOX.of(language)) " " bdi { (name) } }
            span.mode { (TEST_MODE.of(language)) }
            nav {
                a href=(address(name, language)) { (REFRESH.of(language)) }
                @if cfg!(feature = "development") { a href="/" { (HOME.of(language)) } }
                a lang=(other.as_str()) hreflang=(other.as_str()) href=(address(name, other)) {
                    (OTHER.of(language))
                }
            }
        },
        main: html! {
            h1 { (TITLE.of(language)) }
            (answer_form(name, answer, language))
            @if entries.is_empty() { p { (EMPTY.of(language)) } }
            @for (place, entry) in entries.iter().enumerate() { (self::entry(place, entry, language)) }
        },
    }
    .reply()
}

fn address(name: &str, language: Language) -> String {
    format!("/sandbox/inbox/{name}/?language={}", language.as_str())
}

fn answer_form(name: &str, current: InboxAnswer, language: Language) -> Markup {
    html! {
        form method="post" action={ "/sandbox/inbox/" (name) "/answer/" } {
            label for="answer" { (ANSWERS.of(language)) }
            div.buttons {
                select id="answer" name="answer" {
                    @for answer in InboxAnswer::ALL {
                        option value=(answer.as_str()) selected[answer == current] {
                            (label(answer).of(language))
                        }
                    }
                }
                button type="submit" { (CHANGE.of(language)) }
            }
        }
    }
}

const fn label(answer: InboxAnswer) -> Both {
    let (en, ar) = match answer {
        InboxAnswer::Ok => ("200: taken, the payer is redirected", "200: قُبل، ويُحوَّل العميل"),
        InboxAnswer::Created => {
            ("201: taken, the payer stays at the checkout", "201: قُبل، ويبقى العميل في صفحة الدفع")
        }
        InboxAnswer::Error => ("500: fails, the webhook is retried", "500: فشل، ويُعاد الإرسال"),
        InboxAnswer::Hang => ("nothing: hangs, the webhook is retried", "لا رد، ويُعاد الإرسال"),
    };
    Both { en, ar }
}

fn entry(
    place: usize,
    InboxEntry { webhook, change, is_signed }: &InboxEntry<'_>,
    language: Language,
) -> Markup {
    let id = format!("webhook-{place}");
    html! {
        article aria-labelledby=(id) {
            div.head {
                h2 id=(id) { (heading(change, language)) }
                @if *is_signed {
                    span.good { (SIGNED.of(language)) }
                } @else {
                    span.bad { (UNSIGNED.of(language)) }
                }
            }
            p.soft {
                time datetime=(webhook.received_at) { bdi dir="ltr" { (webhook.received_at) } }
                " · " (ANSWERED.of(language)) ": " bdi dir="ltr" { (webhook.answered.as_str()) }
            }
            dl.headers {
                @for (name, value) in &webhook.headers {
                    dt { bdi dir="ltr" { code { (name) } } }
                    dd { bdi dir="ltr" { (value) } }
                }
            }
            pre tabindex="0" role="region" aria-label={ (BODY.of(language)) " " (place.saturating_add(1)) } {
                (indented(&webhook.body))
            }
            @if let Some(session_id) = change.session_id.as_deref().and_then(SessionId::parse) {
                p { a.inline href={ (Route::CheckoutPage.path()) "?session_id=" (session_id) } { (PAGE.of(language)) } }
            }
            details {
                summary { (CURL.of(language)) }
                pre tabindex="0" role="region" aria-label={ "curl " (place.saturating_add(1)) } { (curl(webhook)) }
            }
        }
    }
}

/// State or operation, order and amount.
fn heading(change: &InboxChange, language: Language) -> Markup {
    // The payment itself is shown by its state.
    let done = change.operation.as_ref().filter(|operation| !PAYMENTS.contains(&operation.as_str()));
    let what = match (done, &change.result) {
        (Some(operation), Some(result)) => Some(format!("{operation}: {result}")),
        (Some(_), None) | (None, _) => change.state.clone(),
    };
    let words = [what.as_ref(), change.order_no.as_ref()].into_iter().flatten();
    let words = words.map(|word| html! { bdi { (word) } });
    let amount = change.amount.iter().map(|amount| html! { bdi.whole dir="ltr" { (amount) } });
    let parts: Vec<Markup> = words.chain(amount).collect();
    html! {
        @if parts.is_empty() { (UNKNOWN.of(language)) }
        @for (place, part) in parts.iter().enumerate() {
            @if place > 0 { " · " }
            (part)
        }
    }
}

/// A command that sends the same bytes with the same headers to a receiver on this machine.
fn curl(webhook: &Webhook) -> String {
    // Writing to a text never fails.
    let mut text = String::from("curl -sS -X POST http://127.0.0.1:8000/webhook");
    for (name, value) in &webhook.headers {
        let _ = write!(text, " \\\n  -H {}", quoted(&format!("{name}: {value}")));
    }
    let _ = write!(text, " \\\n  --data-raw {}", quoted(&webhook.body));
    text
}

/// A word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
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

    fn rendered(body: &str, is_signed: bool, language: Language) -> String {
        let webhook = Webhook {
            received_at: Timestamp::from_millis(0),
            answered: InboxAnswer::Error,
            headers: [("webhook-id".into(), "\"><script>".into())].into(),
            body: body.into(),
        };
        let entry = InboxEntry { change: InboxChange::of(body), webhook: &webhook, is_signed };
        String::from_utf8(render("demo", InboxAnswer::Hang, &[entry], language).body).unwrap()
    }

    #[test]
    fn what_was_received_is_shown_as_text() {
        let page = rendered("<script>alert(1)</script>", false, Language::En);
        assert!(!page.contains("<script>"));
        assert!(page.contains("&lt;script&gt;alert(1)"));
        assert!(page.contains(r#"<option value="hang" selected>"#));
        assert!(page.contains("1970-01-01T00:00:00Z"));
    }

    #[test]
    fn a_heading_says_what_happened_and_whether_the_signature_is_valid() {
        let body = r#"{"operation":"payment","state":"paid","result":"success","order_no":"A-1","amount":"1.000","currency_code":"KWD"}"#;
        let page = rendered(body, true, Language::En);
        assert!(
            page.contains(
                "<bdi>paid</bdi> · <bdi>A-1</bdi> · <bdi class=\"whole\" dir=\"ltr\">KWD 1.000</bdi>"
            ),
            "{page}"
        );
        assert!(page.contains(SIGNED.en) && !page.contains(UNSIGNED.en));
        let page =
            rendered(r#"{"operation":"refund","result":"failed","state":"paid"}"#, false, Language::Ar);
        assert!(page.contains("<bdi>refund: failed</bdi>") && page.contains(UNSIGNED.ar));
        assert!(rendered("x", false, Language::En).contains(">Webhook</h2>"));
    }

    #[test]
    fn a_command_of_a_shell_holds_the_exact_bytes() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
