//! What every screen has around it: the head, the mark of a simulation, the language link, and the script.

use checkout_core::checkout::page::{LastAttempt, TransactionPage};
use checkout_core::gateway::terms::Quote;
use checkout_core::route::Route;
use checkout_core::strings::screen::PageStatus;
use checkout_core::strings::sentence::{Piece, pieces};
use checkout_core::strings::{HeadedText, Strings, rate};
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::assets;
use super::brand::{self, Style};
use super::price::amount;
use super::symbol;

/// One document.
pub(super) struct PageDocument<'a> {
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
    /// The same for a browser whose script does not arrive. The script calls it off.
    pub(super) late_refresh: Option<String>,
    /// The transaction that it shows; its merchant's face is around the screen.
    pub(super) page: Option<&'a TransactionPage>,
    /// The rules that the brand of its merchant adds.
    pub(super) style: Option<&'a Style>,
    /// The screen.
    pub(super) body: Markup,
}

/// A link to the same page in another language.
pub(super) struct LanguageLink {
    language: Language,
    address: String,
}

const fn other(language: Language) -> Language {
    match language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    }
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

impl LanguageLink {
    /// The other language than one, at a path.
    pub(super) fn at(shown: Language, path: &str) -> Self {
        let language = other(shown);
        Self { language, address: format!("{path}?language={}", language.as_str()) }
    }

    /// The page at the same path in the other language. It repeats nothing of the request: not even a path or a query, which
    /// may have what belongs to someone else.
    pub(super) fn of_path(shown: Language) -> Self {
        let language = other(shown);
        Self { language, address: format!("?language={}", language.as_str()) }
    }

    /// The link. On a page with the pay form it is a button of that form, so that the server shows in the other language
    /// what the payer chose and typed; the script uses its address.
    fn draw(&self, words: &str, is_of_form: bool) -> Markup {
        let (word, direction) = (self.language.as_str(), self.language.direction());
        html! {
            @if is_of_form {
                // Enter in a field presses the first button of its form, which must not change the language.
                button hidden form="pay-form" {}
                button .language form="pay-form" formnovalidate name="show_in" value=(word) lang=(word) dir=(direction)
                    data-address=(self.address) { (words) }
            } @else {
                a .language href=(self.address) lang=(word) hreflang=(word) dir=(direction) { (words) }
            }
        }
    }
}

impl PageDocument<'_> {
    /// A document without a transaction, a script or a style of its own.
    pub(super) fn plain(language: Language, title: impl Into<String>, body: Markup) -> Self {
        Self {
            language,
            title: title.into(),
            is_test: false,
            other_language: None,
            scripting: Scripting::None,
            refresh: None,
            late_refresh: None,
            page: None,
            style: None,
            body,
        }
    }

    /// Whether it has the pay form.
    fn can_pay(&self) -> bool {
        self.page.is_some_and(|page| page.status.can_pay())
    }

    /// Whether it offers wallets, which browsers show that have them.
    fn has_wallets(&self) -> bool {
        self.page.is_some_and(|page| !page.wallets.is_empty())
    }

    /// The wallets that it shows without asking the browser: a sample shows all that it has.
    fn shows_wallets(&self) -> Option<String> {
        let page = self.page.filter(|page| self.scripting == Scripting::None && !page.wallets.is_empty())?;
        let words: Vec<&str> = page.wallets.iter().map(|button| button.wallet.as_str()).collect();
        Some(words.join(" "))
    }

    /// The text of the document.
    pub(super) fn draw(&self) -> String {
        let strings = Strings::of(self.language);
        let script = if self.scripting == Scripting::None { None } else { assets::SCRIPT };
        html! {
            (DOCTYPE)
            html lang=(self.language.as_str()) dir=(self.language.direction()) class=[self.shows_wallets()] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    @if let Some(script) = script.filter(|_| self.has_wallets()) { script { (PreEscaped(script.first)) } }
                    (shown_at_once())
                    meta name="robots" content="noindex, nofollow";
                    (brand::favicon(self.page.map(|page| &page.brand)))
                    @if let Some(page) = self.page { (brand::head(page)) }
                    style { (PreEscaped(assets::STYLE)) }
                    @if !self.can_pay() { style { (PreEscaped(assets::OUTCOME)) } }
                    @if self.page.is_some_and(TransactionPage::has_fields) { style { (PreEscaped(assets::AMOUNT)) } }
                    @if let Some(style) = self.style { style { (PreEscaped(&style.text)) } }
                    @if let Some(refresh) = &self.refresh {
                        noscript { meta http-equiv="refresh" content=(refresh); }
                    }
                    @if let Some(refresh) = &self.late_refresh { meta http-equiv="refresh" content=(refresh); }
                    @if let Some(script) = script {
                        link rel="preload" as="fetch" crossorigin href=(script.wasm_path);
                        script type="module" src=(script.path) integrity=(script.integrity)
                            data-wasm=(script.wasm_path) data-wasm-integrity=(script.wasm_integrity) {}
                    }
                }
                body {
                    @if self.is_test || self.page.is_some() || self.other_language.is_some() {
                        header {
                            @if self.is_test { (test_mode(strings)) }
                            @if let Some(page) = self.page { (brand::header(page)) }
                            @if let Some(link) = &self.other_language {
                                (link.draw(strings.action.other_language, self.scripting == Scripting::Pays))
                            }
                        }
                    }
                    (self.body)
                    footer .foot {
                        @if self.page.is_some_and(takes_cards) {
                            p .foot-note { (symbol::LOCK) (strings.no_card_here) }
                        }
                        @if let Some(page) = self.page { (brand::footer(page)) }
                    }
                    p #end hidden {}
                }
            }
        }
        .into_string()
    }
}

/// Nothing is painted before the end of the document is there: the summary depends on the method that is chosen further down,
/// so it would grow while the list arrives. A browser that does not know the link paints what it has.
fn shown_at_once() -> Markup {
    html! { link rel="expect" href="#end" blocking="render"; }
}

/// Whether a card may be entered after the page.
fn takes_cards(page: &TransactionPage) -> bool {
    page.methods.iter().any(|method| !method.is_cash)
}

fn test_mode(strings: &Strings) -> Markup {
    html! {
        p .test {
            span .chip { strong { (strings.test_mode.title) } " · " (strings.test_mode.text) }
        }
    }
}

/// The title of the window: what there is to do or what happened, and whose page it is.
pub(super) fn title(page: &TransactionPage) -> String {
    let strings = Strings::of(page.language);
    if let Some(notice) = page.notice.filter(|_| page.status.can_pay()) {
        format!("{} · {}", strings.notice(notice, page.payment_type).title, page.merchant)
    } else if page.status.can_pay() {
        let heading = if page.is_paid() { strings.label.pay_to } else { strings.card.save_for };
        format!("{heading} {}", page.merchant)
    } else {
        format!("{} · {}", message(page, strings).title, page.merchant)
    }
}

/// The heading and the sentences of a screen on which nothing can be chosen.
pub(super) fn message(page: &TransactionPage, strings: &Strings) -> HeadedText {
    match page.aftermath {
        Some((aftermath, _)) => strings.aftermath().screen(aftermath),
        None => strings.screen(page.status, page.payment_type),
    }
}

/// The address of the page of a transaction in a language.
pub(super) fn address(page: &TransactionPage, language: Language) -> String {
    let start = Route::CheckoutPage.path();
    format!("{start}?session_id={}&language={}", page.session_id, language.as_str())
}

/// For how many seconds a page that waits waits for its script: longer than the script waits for its module.
const SCRIPT_WITHIN: u8 = 30;

/// When a page that waits, and whose script does not arrive, is loaded again.
pub(super) fn late_refresh(page: &TransactionPage) -> Option<String> {
    page.status.waits().then(|| again(page, SCRIPT_WITHIN.into()))
}

/// When a browser without a script loads the page again: while it waits, less and less often, because a reader begins
/// again each time; and, if the payer may still be redirected to the merchant, at the address that then leads there.
pub(super) fn refresh(page: &TransactionPage) -> Option<String> {
    if page.status.waits() {
        let seconds = match page.refreshes {
            0 => 5,
            1 => 10,
            2 => 20,
            _ => 30,
        };
        return Some(again(page, seconds));
    }
    let seconds = page.onward?.refresh_after(page.refreshes)?;
    Some(again(page, seconds))
}

/// After how many seconds the page is loaded again, and from where: its address counts how often it was.
fn again(page: &TransactionPage, seconds: u32) -> String {
    let next = page.refreshes.saturating_add(1);
    format!("{seconds};url={}&onward={next}", address(page, page.language))
}

/// The link to the page in the other language, with the method that the payer asked for.
pub(super) fn other_language(page: &TransactionPage) -> LanguageLink {
    let language = other(page.language);
    let address = address(page, language);
    let address = match page.methods.iter().find(|method| method.is_chosen) {
        Some(method) => format!("{address}&pg_code={}", method.code),
        None => address,
    };
    LanguageLink { language, address }
}

/// A sentence with the values of its places.
pub(super) fn sentence(text: &'static str, value: impl Fn(&str) -> Markup) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Words(words) => (words),
                Piece::Place(name) => (value(name)),
            }
        }
    }
}

/// What was paid or is held with its fee, or what was to be paid.
pub(super) fn total(page: &TransactionPage) -> Money {
    let attempt = page.last.as_ref().filter(|_| page.status.shows_attempt());
    attempt.map_or(page.amount, |last| last.quote.total)
}

/// The values that sentences about a page have places for.
pub(super) fn value_of(page: &TransactionPage, name: &str) -> Markup {
    let total = total(page);
    let moved = page.aftermath.map(|(_, moved)| moved);
    let strings = Strings::of(page.language);
    match name {
        "merchant" => html! { bdi { (page.merchant) } },
        "amount" => amount(strings, moved.map_or(total, |moved| moved.amount)),
        "total" => amount(strings, moved.map_or(total, |moved| moved.whole)),
        "fee" => {
            html! { @if let Some(rest) = moved.and_then(|moved| moved.rest()) { (amount(strings, rest)) } }
        }
        "moment" => moment(page, page.expires_at),
        _ => html! {},
    }
}

/// By which rate amounts of a currency were or would be exchanged; nothing if they are charged without
/// exchange.
pub(super) fn exchange_rate(source: Currency, quote: Quote) -> Option<String> {
    quote.rate.map(|by| rate(source, by, quote.amount.currency()))
}

/// A moment, in the merchant's zone. The script writes the reader's own in its place, except on a receipt, which is the same
/// for every reader and on paper.
pub(super) fn moment(page: &TransactionPage, moment: Timestamp) -> Markup {
    let text = Strings::of(page.language).moment(page.local(moment));
    html! { time datetime=(moment) data-local[!page.status.is_success()] { (text) } }
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
