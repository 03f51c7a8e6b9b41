//! The pages of the inbox of messages: the list, and one message as the payer would see it.

use checkout_core::message::segments;
use checkout_core::words::Language;
use checkout_core::words::message::{Channel, Fate};
use maud::{Markup, html};

use super::shown::ShownMessage;
use crate::sandbox::SandboxReply;
use crate::sandbox::document::{Document, FormTarget, framing, sandboxed};
use crate::sandbox::phrases::{Both, TEST_MODE};

/// The most characters of the heading of a message.
const MAX_HEADING: usize = 80;
const TITLE: Both = Both { en: "Messages to payers", ar: "الرسائل إلى العملاء" };
const HOME: Both = Both { en: "Start page", ar: "الصفحة الرئيسية" };
const OTHER: Both = Both { en: "العربية", ar: "English" };
const BACK: Both = Both { en: "All messages", ar: "كل الرسائل" };
const EMPTY: Both = Both {
    en: "None yet. Create a payment with notifications, customer_email and customer_phone.",
    ar: "لا توجد رسائل بعد. أنشئ عملية دفع مع notifications وcustomer_email وcustomer_phone.",
};
const TO: Both = Both { en: "To", ar: "إلى" };
const FROM: Both = Both { en: "From", ar: "من" };
const AT: Both = Both { en: "Received", ar: "وقت الاستلام" };
const FATE: Both = Both { en: "Status", ar: "الحالة" };
const PLAIN: Both = Both { en: "As plain text", ar: "كنص عادي" };
const SIZE: Both = Both { en: "Parts", ar: "عدد الأجزاء" };

/// The newest messages.
pub(super) fn list(inbox: &str, found: &[ShownMessage], language: Language) -> SandboxReply {
    frame(
        &format!("/sandbox/messages/{inbox}/"),
        TITLE.of(language),
        language,
        html! {
            h1 { (TITLE.of(language)) }
            @if found.is_empty() { p { (EMPTY.of(language)) } }
            ul.rows {
                @for shown in found {
                    li {
                        a href={ "/sandbox/messages/" (inbox) "/" (shown.id) "/?language=" (language.as_str()) } {
                            bdi { (heading(shown)) }
                        }
                        span.then {
                            (channel_name(shown.channel, language))
                            @if let Some(fate) = shown.fate { " · " (fate_name(fate, language)) }
                        }
                        span.soft { bdi dir="ltr" { (shown.to) } " · " time datetime=(shown.received_at) { bdi dir="ltr" { (shown.received_at) } } }
                    }
                }
            }
        },
    )
}

/// The subject of an e-mail, and the beginning of any other message.
fn heading(shown: &ShownMessage) -> String {
    let heading = if shown.html.is_empty() { beginning(&shown.text) } else { shown.subject.clone() };
    if heading.trim().is_empty() { shown.id.clone() } else { heading }
}

/// The first words of a text, without addresses, which nobody reads and a cut would break.
fn beginning(text: &str) -> String {
    let mut found = String::new();
    for word in text.split_whitespace().filter(|word| !word.contains("://")) {
        if found.chars().count().saturating_add(word.chars().count()) >= MAX_HEADING {
            found.push('…');
            break;
        }
        if !found.is_empty() {
            found.push(' ');
        }
        found.push_str(word);
    }
    found
}

/// A channel as people call it.
fn channel_name(word: &str, language: Language) -> &'static str {
    let name = match Channel::parse(word) {
        Some(Channel::Email) => Both { en: "E-mail", ar: "بريد إلكتروني" },
        Some(Channel::Sms) => Both { en: "SMS", ar: "رسالة نصية" },
        Some(Channel::Whatsapp) => Both { en: "WhatsApp", ar: "واتساب" },
        None => Both { en: "", ar: "" },
    };
    name.of(language)
}

/// What became of a message, in words.
fn fate_name(word: &str, language: Language) -> &'static str {
    let name = match Fate::parse(word) {
        Some(Fate::Sending) => Both { en: "Being sent", ar: "قيد الإرسال" },
        Some(Fate::Waiting) => Both { en: "Sent again later", ar: "ستُرسل مجددًا لاحقًا" },
        Some(Fate::Accepted) => Both { en: "Accepted", ar: "مقبولة" },
        Some(Fate::Delivered) => Both { en: "Delivered", ar: "سُلّمت" },
        Some(Fate::Read) => Both { en: "Read", ar: "قُرئت" },
        Some(Fate::Failed) => Both { en: "Failed", ar: "لم تصل" },
        Some(Fate::Complained) => {
            Both { en: "Reported as unwanted", ar: "أُبلغ عنها كغير مرغوبة" }
        }
        Some(Fate::Unknown) | None => Both { en: "Unknown", ar: "غير معروفة" },
    };
    name.of(language)
}

/// One message.
pub(super) fn detail(inbox: &str, shown: &ShownMessage, language: Language) -> SandboxReply {
    let address = format!("/sandbox/messages/{inbox}/{}/", shown.id);
    let reply = frame(
        &address,
        &heading(shown),
        language,
        html! {
            h1 { bdi { (heading(shown)) } }
            dl {
                dt { (TO.of(language)) } dd { bdi dir="ltr" { (shown.to) } }
                @if !shown.from.is_empty() { dt { (FROM.of(language)) } dd { bdi { (shown.from) } } }
                dt { (AT.of(language)) } dd { bdi dir="ltr" { (shown.received_at) } }
                @if let Some(fate) = shown.fate {
                    dt { (FATE.of(language)) }
                    dd { (fate_name(fate, language)) @if let Some(detail) = &shown.detail { " · " bdi { (detail) } } }
                }
                @if shown.channel == "sms" {
                    dt { (SIZE.of(language)) } dd { (parts(&shown.text)) }
                }
            }
            @if shown.html.is_empty() {
                div.bubble dir="auto" { (shown.text) }
            } @else {
                iframe src={ (address) "email/" } title=(shown.subject) sandbox="allow-popups allow-popups-to-escape-sandbox" {}
                details { summary { (PLAIN.of(language)) } pre.text dir="auto" tabindex="0" { (shown.text) } }
            }
            p { a.inline href={ "/sandbox/messages/" (inbox) "/?language=" (language.as_str()) } { (BACK.of(language)) } }
        },
    );
    framing(reply)
}

/// How an SMS is sent.
fn parts(text: &str) -> Markup {
    let size = segments::size(text);
    html! { bdi dir="ltr" { (size.parts) " · " (size.units) @if size.is_gsm { " GSM-7" } @else { " UCS-2" } } }
}

/// The document of an e-mail.
pub(super) fn email(html: String) -> SandboxReply {
    sandboxed(html)
}

fn frame(address: &str, title: &str, language: Language, main: Markup) -> SandboxReply {
    let other = match language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    };
    Document {
        status: 200,
        language,
        title,
        forms: FormTarget::Own,
        script: None,
        header: html! {
            strong { (TITLE.of(language)) }
            span.mode { (TEST_MODE.of(language)) }
            @if cfg!(feature = "development") { a href="/" { (HOME.of(language)) } }
            a lang=(other.as_str()) hreflang=(other.as_str()) href={ (address) "?language=" (other.as_str()) } {
                (OTHER.of(language))
            }
        },
        main,
    }
    .reply()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_has_whole_words_and_no_address() {
        assert_eq!(
            beginning("Nour asks you to pay KWD 1.000. https://pay.example.com/b/x?a=1 Until 5 May."),
            "Nour asks you to pay KWD 1.000. Until 5 May."
        );
        let long = ["متجر "; 40].concat();
        let cut = beginning(&long);
        assert!(cut.ends_with("متجر…") && cut.chars().count() <= MAX_HEADING, "{cut}");
        assert_eq!(beginning("https://pay.example.com/"), "");
    }
}
