//! The start page of a development installation.

use checkout_core::flow::Failure;
use checkout_core::rejection::Rejection;
use checkout_core::settings::MerchantSettings;
use checkout_core::state::State;
use checkout_core::words::Language;
use maud::{Markup, html};
use sandbox_bank::card::CARDS;

use super::merchant::{self, DemoTransaction, Kind, methods};
use super::transaction::{AMOUNT, go_to, make as make_transaction, page_of, wanted};
use crate::edge::Edge;
use crate::sandbox::card_text::{Group, consequence, description, grouped, scheme};
use crate::sandbox::document::{Document, FormTarget};
use crate::sandbox::phrases::TEST_MODE;
use crate::sandbox::{SandboxReply, SandboxRequest};

/// Where a developer finds more.
const LINKS: [(&str, &str); 9] = [
    ("/sandbox/gallery/", "Gallery of all screens"),
    ("/sandbox/shop/", "Demo shop"),
    ("/sandbox/messages/demo/", "Messages to payers"),
    ("/docs/start.html", "Getting started"),
    ("/docs/", "Reference of the API"),
    ("/openapi.json", "Its description (OpenAPI)"),
    ("/b/problems/", "Codes of problems"),
    ("/script-inventory.json", "Scripts of the pages"),
    ("/healthz", "Health"),
];

/// Makes the transaction that the form asks for, and goes to its page; a wrong form is shown again.
pub(super) async fn make(edge: &Edge, request: &SandboxRequest<'_>) -> Result<SandboxReply, Failure> {
    let form = request.form();
    match make_transaction(edge, wanted(&form)).await {
        Ok(Some(session_id)) => Ok(go_to(&session_id)),
        Ok(None) => page(edge, Some("There is no demo merchant yet.".into())).await,
        Err(Failure::Refused(refused)) => page(edge, Some(words(&refused.rejection))).await,
        Err(failure) => Err(failure),
    }
}

/// What was wrong, for a developer.
fn words(rejection: &Rejection) -> String {
    if let Rejection::Invalid(found) = rejection {
        let fields: Vec<&str> = found.iter().map(|violation| &*violation.path).collect();
        return format!("These fields are not accepted: {}.", fields.join(", "));
    }
    format!("The request was refused: {}.", rejection.code())
}

/// The page, with what was wrong with a form.
pub(super) async fn page(edge: &Edge, wrong: Option<String>) -> Result<SandboxReply, Failure> {
    let found = merchant::find(edge).await?;
    let newest = match &found {
        Some(situation) => merchant::newest(edge, situation).await?,
        None => Vec::new(),
    };
    Ok(Document {
        status: if wrong.is_some() { 400 } else { 200 },
        language: Language::En,
        title: "Till · development",
        forms: FormTarget::Own,
        script: None,
        header: html! {
            strong { "Till " (env!("CARGO_PKG_VERSION")) }
            span.good { "Running" }
            span.mode { (TEST_MODE.of(Language::En)) }
        },
        main: html! {
            h1 { "Make a test payment" }
            @if let Some(wrong) = wrong {
                div.error role="alert" { strong { "No payment was made" } (wrong) }
            }
            @match &found {
                Some(situation) => (form(&situation.settings)),
                None => p {
                    "There is no demo merchant yet. " code { "make dev" }
                    " makes one, and writes its keys to " code { ".dev/demo.json" } "."
                },
            }
            (list(&newest))
            (cards())
            h2 { "More" }
            nav.links aria-label="More" { ul.rows {
                @for (path, name) in LINKS { li { a href=(path) { (name) } } }
            } }
            p.soft {
                "The keys of the demo merchant are in " code { ".dev/demo.json" }
                " of the project, and the token of the operator in " code { ".dev.vars" } ". No page shows them."
            }
        },
    }
    .reply())
}

fn form(settings: &MerchantSettings) -> Markup {
    let currency = settings.currencies.first().map_or("", |currency| currency.code());
    html! {
        form method="post" action="/sandbox/demo/" {
            div.fields {
                label { "Kind"
                    select name="kind" {
                        option value="order" { "An order" }
                        option value="open_amount" { "A request whose amount the payer chooses" }
                        option value="save_card" { "Save a card" }
                    }
                }
                label { "Amount in " (currency)
                    input name="amount" value=(AMOUNT) inputmode="decimal" autocomplete="off" dir="ltr";
                }
                label { "Methods"
                    select name="method" {
                        option value="" { "All that charge at once" }
                        @for gateway in &settings.gateways {
                            option value=(gateway.code.as_str()) { "Only " (gateway.name.en) }
                        }
                    }
                }
                label { "Language"
                    select name="language" {
                        option value="en" { "English" }
                        option value="ar" lang="ar" { "العربية" }
                    }
                }
            }
            div.buttons {
                button type="submit" { "Make a test payment" }
                a.button.plain href="/sandbox/shop/" { "Buy in the demo shop" }
            }
            @if methods(settings, Kind::Order).is_empty() {
                p.soft { "No gateway of the demo merchant charges at once: choose one." }
            }
        }
    }
}

/// The colour of a state.
pub(super) fn tone(state: State) -> &'static str {
    match state {
        State::Paid | State::Authorized | State::Cod | State::Refunded => "good",
        State::Failed | State::Canceled | State::Expired | State::Invalided => "bad",
        State::Created | State::Pending | State::Attempted => "wait",
    }
}

fn list(newest: &[DemoTransaction]) -> Markup {
    html! {
        h2 { "Newest test payments" }
        @if newest.is_empty() { p.soft { "None yet." } }
        ul.rows {
            @for one in newest {
                @let order = one.order_no.as_deref().unwrap_or("without a number");
                li {
                    span { bdi { (order) } " · " bdi.whole dir="ltr" { (one.amount) } }
                    span class=(tone(one.state)) { (one.state.as_str()) }
                    time.soft datetime=(one.created_at) { (one.created_at) }
                    a.inline href=(page_of(&one.session_id)) aria-label={ "Page of " (order) } { "Page" }
                    @if let Some(inbox) = &one.inbox {
                        a.inline href=(inbox) aria-label={ "Inbox of " (order) } { "Inbox" }
                    }
                }
            }
        }
    }
}

fn cards() -> Markup {
    html! {
        h2 { "Test cards" }
        @for group in Group::ALL {
            details open[group == Group::Works] {
                summary { (group.title().en) }
                ul.rows {
                    @for card in CARDS.iter().filter(|card| Group::of(card) == group) {
                        li {
                            span.whole { (scheme(card, Language::En)) " " bdi dir="ltr" { (grouped(card)) } }
                            span { (description(card).en) }
                            span.then { (consequence(card).en) }
                        }
                    }
                }
            }
        }
    }
}
