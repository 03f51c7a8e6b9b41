//! The bank's payment pages: the choice of a card, the 3-D Secure step, and how a charge ended.

use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::strings::Strings;
use checkout_core::value::money::Money;
use checkout_core::value::text::without_bidi_controls;
use checkout_core::words::Language;
use maud::{Markup, html};
use sandbox_bank::card::{CARDS, TestCard};
use sandbox_bank::charge::{Charge, ChargeStatus};

use super::SandboxReply;
use super::card_text::{Group, consequence, description, grouped, scheme};
use super::document::{Document, FormTarget};
use super::phrases::{Phrases, Words};

/// Why a form was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormError {
    /// No listed card.
    UnlistedCard,
    /// A field that could hold card data, by its name.
    CardData(&'static str),
    /// No button of the page.
    UnknownAction,
}

/// The page of a charge in its current state, with the path of the inbox to which its merchant is notified, and an error
/// above the form if a form was refused.
pub(super) fn render(
    charge: &Charge,
    language: Language,
    inbox: Option<&str>,
    error: Option<&FormError>,
) -> SandboxReply {
    let phrases = Phrases::of(language);
    let words = phrases.words(charge.terms.operation);
    let (title, main) = match charge.status {
        ChargeStatus::Open => (words.action, card_choice(charge, language, inbox, error)),
        ChargeStatus::Challenged => (phrases.challenge, challenge(charge, language, error)),
        ChargeStatus::Processing => (words.processing, ended(charge, words.processing, language)),
        ChargeStatus::Approved => (words.approved, ended(charge, words.approved, language)),
        ChargeStatus::Declined => (words.declined, ended(charge, words.declined, language)),
        ChargeStatus::Canceled => (words.canceled, ended(charge, words.canceled, language)),
    };
    Document {
        status: if error.is_some() { 400 } else { 200 },
        language,
        title: &format!("{title} · {}", phrases.bank),
        forms: FormTarget::Anywhere,
        script: None,
        header: header(phrases, Some((charge, language))),
        main,
    }
    .reply()
}

/// The page if there is no charge.
pub(super) fn render_not_found(language: Language) -> SandboxReply {
    let phrases = Phrases::of(language);
    Document {
        status: 404,
        language,
        title: phrases.not_found,
        forms: FormTarget::Own,
        script: None,
        header: header(phrases, None),
        main: html! { h1 { (phrases.not_found) } p { (phrases.not_found_text) } },
    }
    .reply()
}

fn header(phrases: &Phrases, switch: Option<(&Charge, Language)>) -> Markup {
    html! {
        strong { (phrases.bank) }
        span.mode { (phrases.test_mode) }
        @if let Some((charge, language)) = switch {
            @let other = other(language);
            a lang=(other.as_str()) hreflang=(other.as_str()) href=(address(charge, other)) {
                (phrases.other_language)
            }
        }
    }
}

fn other(language: Language) -> Language {
    match language {
        Language::En => Language::Ar,
        Language::Ar => Language::En,
    }
}

/// The page of a charge in a language.
pub(super) fn address(charge: &Charge, language: Language) -> String {
    format!("{}?language={}", charge.page_path(), language.as_str())
}

fn merchant(charge: &Charge) -> Markup {
    html! { bdi { (without_bidi_controls(&charge.terms.merchant)) } }
}

fn summary(charge: &Charge, language: Language) -> Markup {
    let phrases = Phrases::of(language);
    html! {
        dl {
            @if is_paid(charge) {
                dt { (phrases.amount) }
                dd.sum { (money(charge.terms.amount, language)) }
            }
            dt { (phrases.reference) }
            dd { bdi dir="ltr" { (charge.terms.reference) } }
        }
    }
}

/// Whether there is an amount to be shown: if a card is only confirmed, there is none.
fn is_paid(charge: &Charge) -> bool {
    match charge.terms.operation {
        ChargeOperation::Purchase | ChargeOperation::Authorize => true,
        ChargeOperation::Verify => false,
    }
}

fn money(amount: Money, language: Language) -> Markup {
    html! { bdi dir=(language.direction()) { (Strings::of(language).price(amount)) } }
}

fn alert(error: Option<&FormError>, phrases: &Phrases, words: &Words) -> Markup {
    html! {
        @if let Some(error) = error {
            div.error role="alert" {
                strong { (words.error) }
                @match error {
                    FormError::UnlistedCard => (phrases.unlisted_card),
                    FormError::CardData(name) => { (phrases.card_data) ": " bdi dir="ltr" { code { (name) } } }
                    FormError::UnknownAction => (phrases.unknown_action),
                }
            }
        }
    }
}

fn card_choice(
    charge: &Charge,
    language: Language,
    inbox: Option<&str>,
    error: Option<&FormError>,
) -> Markup {
    let phrases = Phrases::of(language);
    let words = phrases.words(charge.terms.operation);
    html! {
        h1 { (words.heading) " " (merchant(charge)) }
        (summary(charge, language))
        (alert(error, phrases, words))
        form method="post" action=(address(charge, language)) {
            fieldset aria-describedby="about-cards" {
                legend { (phrases.choose_card) }
                @for group in Group::ALL {
                    div role="group" aria-labelledby=(group.id()) {
                        h2 id=(group.id()) { (group.title().of(language)) }
                        @for card in CARDS.iter().filter(|card| Group::of(card) == group) {
                            (choice(card, language))
                        }
                    }
                }
            }
            p.soft id="about-cards" { (phrases.no_numbers) }
            @if let Some(path) = inbox { p { a.inline href=(path) { (phrases.inbox) } } }
            div.buttons.bar {
                button type="submit" name="action" value="pay" {
                    (words.action)
                    @if is_paid(charge) { " " (money(charge.terms.amount, language)) }
                }
                button.plain type="submit" name="action" value="cancel" formnovalidate { (phrases.cancel) }
            }
        }
    }
}

fn choice(card: &TestCard, language: Language) -> Markup {
    html! {
        label.card {
            input type="radio" name="card" value=(card.id) required checked[CARDS.first().is_some_and(|first| first.id == card.id)];
            span {
                span { (scheme(card, language)) " " bdi.whole dir="ltr" { (grouped(card)) } }
                span.soft { (description(card).text(language)) }
                span.then { (consequence(card).of(language)) }
            }
        }
    }
}

fn challenge(charge: &Charge, language: Language, error: Option<&FormError>) -> Markup {
    let phrases = Phrases::of(language);
    let words = phrases.words(charge.terms.operation);
    html! {
        h1 { (phrases.challenge) }
        (alert(error, phrases, words))
        p { (words.challenge_question) }
        p { (words.heading) " " (merchant(charge)) }
        (summary(charge, language))
        form method="post" action=(address(charge, language)) {
            div.buttons {
                button type="submit" name="action" value="confirm" { (words.confirm) }
                button.plain type="submit" name="action" value="fail" { (phrases.fail) }
                button.plain type="submit" name="action" value="cancel" { (phrases.cancel) }
            }
        }
    }
}

fn ended(charge: &Charge, heading: &str, language: Language) -> Markup {
    let phrases = Phrases::of(language);
    html! {
        h1 { (heading) }
        (summary(charge, language))
        p { a.button href=(charge.terms.return_url) { (phrases.back) " " (merchant(charge)) } }
    }
}

#[cfg(test)]
mod tests;
