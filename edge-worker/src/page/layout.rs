//! What every screen has around it: the head, the mark of a simulation, the language link, and the script.

use checkout_core::checkout::page::{LastAttempt, TransactionPage};
use checkout_core::gateway::terms::Quote;
use checkout_core::route::Route;
use checkout_core::strings::screen::PageStatus;
use checkout_core::strings::{Message, Strings, rate};
use checkout_core::value::money::Currency;
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets;
use super::symbol;

/// One document.
pub(super) struct Document {
    /// The language of its texts.
    pub(super) language: Language,
    /// The title of the window.
    pub(super) title: String,
    /// Whether it has the mark of a simulation.
    pub(super) is_test: bool,
    /// The same page in the other language.
    pub(super) other_language: Option<LanguageLink>,
    /// What the script has to do.
    pub(super) scripting: Scripting,
    /// When a browser without a script loads the page again, and from where.
    pub(super) refresh: Option<String>,
    /// The screen.
    pub(super) body: Markup,
}

/// A link to the same page in another language.
pub(super) struct LanguageLink {
    language: Language,
    address: String,
}

/// What the script has to do on a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scripting {
    /// Nothing: the screen has no script.
    None,
    /// Help with paying.
    Pays,
    /// Ask for the outcome.
    Waits(PageStatus),
}

impl Document {
    /// The text of the document.
    pub(super) fn draw(&self) -> String {
        let strings = Strings::of(self.language);
        let script = if self.scripting == Scripting::None { None } else { assets::SCRIPT };
        html! {
            (DOCTYPE)
            html lang=(self.language.as_str()) dir=(self.language.direction()) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    link rel="icon" type="image/svg+xml" href="/icons/till.svg";
                    style { (PreEscaped(assets::STYLE)) }
                    @if let Some(refresh) = &self.refresh {
                        noscript { meta http-equiv="refresh" content=(refresh); }
                    }
                    @if let Some(script) = script {
                        link rel="preload" as="fetch" crossorigin href=(script.wasm_path);
                        script type="module" src=(script.path) integrity=(script.integrity)
                            data-wasm=(script.wasm_path) data-wasm-integrity=(script.wasm_integrity) {}
                    }
                }
                body {
                    @if self.is_test { (test_mode(strings)) }
                    (self.body)
                    footer .foot {
                        @if self.scripting == Scripting::Pays {
                            p .foot-note { (symbol::LOCK) (strings.no_card_here) }
                        }
                        @if let Some(link) = &self.other_language {
                            a .language href=(link.address) lang=(link.language.as_str())
                                hreflang=(link.language.as_str()) dir=(link.language.direction()) {
                                (strings.action.other_language)
                            }
                        }
                    }
                }
            }
        }
        .into_string()
    }
}

fn test_mode(strings: &Strings) -> Markup {
    html! {
        header .test {
            strong { (strings.test_mode.title) } " "
            span { (strings.test_mode.text) }
        }
    }
}

/// The title of the window: what there is to do or what happened, and whose page it is.
pub(super) fn title(page: &TransactionPage) -> String {
    let strings = Strings::of(page.language);
    if page.status.can_pay() {
        let heading = if page.is_paid() { strings.label.pay_to } else { strings.card.save_for };
        format!("{heading} {}", page.merchant)
    } else {
        format!("{} · {}", message(page, strings).title, page.merchant)
    }
}

/// The heading and the sentences of a screen on which nothing can be chosen.
pub(super) fn message(page: &TransactionPage, strings: &Strings) -> Message {
    match page.aftermath {
        Some(aftermath) => strings.aftermath.screen(aftermath),
        None => strings.screen(page.status, page.payment_type),
    }
}

/// The address of the page of a transaction in a language.
pub(super) fn address(page: &TransactionPage, language: Language) -> String {
    let start = Route::CheckoutPage.path();
    format!("{start}?session_id={}&language={}", page.session_id, language.as_str())
}

/// When a browser without a script loads the page again: every five seconds while the outcome is awaited;
/// and, if the payer may still be redirected to the merchant, at the address that then leads there.
pub(super) fn refresh(page: &TransactionPage) -> Option<String> {
    if page.status == PageStatus::Pending {
        return Some("5".into());
    }
    let seconds = page.onward?.refresh_after(page.refreshes)?;
    let next = page.refreshes.saturating_add(1);
    Some(format!("{seconds};url={}&onward={next}", address(page, page.language)))
}

/// The link to the page in the other language, with the method that the payer asked for.
pub(super) fn other_language(page: &TransactionPage) -> LanguageLink {
    let language = match page.language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    };
    let address = address(page, language);
    let address = match page.methods.iter().find(|method| method.is_chosen) {
        Some(method) => format!("{address}&pg_code={}", method.code),
        None => address,
    };
    LanguageLink { language, address }
}

/// By which rate amounts of a currency were or would be exchanged; nothing if they are charged without
/// exchange.
pub(super) fn exchange_rate(source: Currency, quote: Quote) -> Option<String> {
    quote.rate.map(|by| rate(source, by, quote.amount.currency()))
}

/// A moment: in UTC for browsers without the script, which converts it to local time.
pub(super) fn moment(strings: &Strings, moment: Timestamp) -> Markup {
    html! { time datetime=(moment) data-local { (strings.moment(moment)) } }
}

/// The line of the file that belongs to a transaction; nothing if there is none.
pub(super) fn attachment(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @if let Some(file) = &page.attachment {
            (line(strings.label.attachment, &html! {
                a .file href=(file.url) { bdi { (file.name) } } " " span .quiet { bdi dir="ltr" { (file.size) } }
            }))
        }
    }
}

/// What the gateway of the last attempt wants the payer to see.
pub(super) fn data(last: &LastAttempt) -> Markup {
    html! {
        @for (name, value) in &last.data {
            (line(name, &html! { bdi dir="ltr" { (value) } }))
        }
    }
}

/// One line of a list of values.
pub(super) fn line(label: &str, value: &Markup) -> Markup {
    html! { div .line { dt { (label) } dd { (value) } } }
}
