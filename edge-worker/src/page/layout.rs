//! What every screen has around it: the head, the mark of a simulation, the language link, and the script.

use checkout_core::api::route::Route;
use checkout_core::checkout::page::{PageStatus, TransactionPage};
use checkout_core::checkout::strings::{Strings, price, rate};
use checkout_core::gateway::terms::Quote;
use checkout_core::money::{Currency, Money};
use checkout_core::time::Timestamp;
use checkout_core::transaction::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets;
use super::symbol;

/// One document.
pub(super) struct Document {
    /// The language of its texts.
    pub(super) language: Language,
    /// The title of the window.
    pub(super) title: String,
    /// Whether it bears the mark of a simulation.
    pub(super) is_test: bool,
    /// The same page in the other language.
    pub(super) other_language: Option<LanguageLink>,
    /// What the script has to do.
    pub(super) scripting: Scripting,
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
    /// Take part in paying.
    Pays,
    /// Ask for news.
    Waits(PageStatus),
}

impl Document {
    /// The text of the document.
    pub(super) fn draw(&self) -> String {
        let strings = Strings::of(self.language);
        let refreshes = self.scripting == Scripting::Waits(PageStatus::Pending);
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
                    @if refreshes {
                        noscript { meta http-equiv="refresh" content="5"; }
                    }
                    @if let Some(script) = script {
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
        format!("{} · {}", strings.screen(page.status, page.payment_type).title, page.merchant)
    }
}

/// The address of the page of a transaction in a language.
pub(super) fn address(page: &TransactionPage, language: Language) -> String {
    let start = Route::CheckoutPage.path();
    format!("{start}?session_id={}&language={}", page.session_id, language.as_str())
}

/// The link to the page in the other language.
pub(super) fn other_language(page: &TransactionPage) -> LanguageLink {
    let language = match page.language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    };
    LanguageLink { language, address: address(page, language) }
}

/// An amount, which reads from left to right in every language.
pub(super) fn amount(money: Money) -> Markup {
    html! { bdi .sum dir="ltr" { (price(money)) } }
}

/// By which rate amounts of a currency were or would be exchanged; nothing where they are charged as they are.
pub(super) fn exchange_rate(source: Currency, quote: Quote) -> Option<String> {
    quote.rate.map(|by| rate(source, by, quote.amount.currency()))
}

/// A moment: in UTC for whoever has no script, which turns it into local time.
pub(super) fn moment(strings: &Strings, moment: Timestamp) -> Markup {
    html! { time datetime=(moment) data-local { (strings.moment(moment)) } }
}

/// The line of the file that goes with a transaction; nothing where there is none.
pub(super) fn attachment(page: &TransactionPage, strings: &Strings) -> Markup {
    html! {
        @if let Some(file) = &page.attachment {
            (line(strings.label.attachment, &html! {
                a .file href=(file.url) { bdi { (file.name) } } " " span .quiet { bdi dir="ltr" { (file.size) } }
            }))
        }
    }
}

/// One line of a list of values.
pub(super) fn line(label: &str, value: &Markup) -> Markup {
    html! { div .line { dt { (label) } dd { (value) } } }
}
