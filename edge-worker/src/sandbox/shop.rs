//! The page of a shop to which payers are sent back: it shows the query parameters that Till appended to
//! `redirect_url`.

use checkout_core::value::text::without_bidi_controls;
use checkout_core::words::Language;
use maud::html;

use super::document::{Document, FormTarget, method_not_allowed};
use super::phrases::TEST_MODE;
use super::{SandboxReply, SandboxRequest};

/// What Till appends to a merchant's address.
const PARAMETERS: [&str; 3] = ["order_no", "reference_number", "session_id"];
/// The most that is shown of each.
const MAX_SHOWN_CHARS: usize = 200;

/// The thank-you page.
pub(super) fn page(request: &SandboxRequest<'_>) -> SandboxReply {
    if !matches!(request.method, "GET" | "HEAD") {
        return method_not_allowed("GET, HEAD");
    }
    let shown = |name| {
        let value = request.query_value(name).unwrap_or_default();
        without_bidi_controls(&value).chars().take(MAX_SHOWN_CHARS).collect::<String>()
    };
    Document {
        status: 200,
        language: Language::En,
        title: "Thank you · Sandbox shop",
        forms: FormTarget::Own,
        script: None,
        header: html! { strong { "Sandbox shop" } span.mode { (TEST_MODE.of(Language::En)) } },
        main: html! {
            h1 { "Thank you" }
            p {
                "The payer's browser came back to the shop with these parameters. They prove nothing: a shop ships "
                "when the signed webhook or the API says so."
            }
            dl {
                @for name in PARAMETERS {
                    dt { code { (name) } }
                    dd { bdi dir="ltr" data-parameter=(name) { (shown(name)) } }
                }
            }
        },
    }
    .reply()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(method: &str, query: &str) -> (u16, String) {
        let reply = page(&SandboxRequest { method, path: "/sandbox/shop/", query, headers: &[], body: &[] });
        (reply.status, String::from_utf8(reply.body).unwrap())
    }

    #[test]
    fn shows_what_the_browser_brought_and_nothing_else() {
        let (status, page) = text("GET", "order_no=A%201&reference_number=R1&session_id=00ab&other=x9x");
        assert_eq!(status, 200);
        for value in [">A 1<", ">R1<", ">00ab<"] {
            assert!(page.contains(value), "{value}");
        }
        assert!(!page.contains("x9x"));
    }

    #[test]
    fn what_it_shows_is_text_and_bounded() {
        let (_, page) =
            text("GET", &format!("order_no=<script>alert(1)</script>&session_id={}", "a".repeat(500)));
        assert!(!page.contains("<script>"));
        assert!(!page.contains(&"a".repeat(201)));
    }

    #[test]
    fn nothing_can_be_posted_to_it() {
        assert_eq!(text("POST", "").0, 405);
    }
}
