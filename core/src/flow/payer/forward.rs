//! The payer goes on to a page of a gateway that is opened by a form.

use alloc::string::String;

use crate::flow::Failure;
use crate::flow::exchange::connect::{return_url, waiting_page};
use crate::flow::situation::situation_of;
use crate::gateway::page_form::{GatewayPage, PageForm};
use crate::port::{Store, World};
use crate::record::return_token::ReturnToken;
use crate::rejection::Rejection;
use crate::value::id::ReferenceNumber;
use crate::words::Language;

/// Where a payer goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forward {
    /// By sending a form, which a page of ours has.
    Form {
        /// The form.
        form: PageForm,
        /// The language of the page.
        language: Language,
        /// Whether the gateway is a simulation.
        is_test: bool,
    },
    /// At an address.
    Address(String),
}

/// What a payer's browser is given at the address before a page that takes a form:
///
/// 1. load the attempt; the address must carry its token, or nothing is found;
/// 2. the form, while the page waits for the payer and nothing else has paid; otherwise the address at which the outcome is shown.
///
/// # Errors
/// [`Rejection::NotFound`], or a failure of the world.
pub async fn forward(
    world: &impl World,
    reference: &ReferenceNumber,
    token: Option<&ReturnToken>,
    chosen: Option<Language>,
    accepted: Option<Language>,
) -> Result<Forward, Failure> {
    // 1
    let record = world.ledger(reference).load_attempt(reference).await?.ok_or(Rejection::NotFound)?;
    let attempt = record.attempt.as_ref().ok_or(Rejection::NotFound)?;
    if !token.is_some_and(|token| token.is_of(&record.transaction.session_id, reference)) {
        return Err(Rejection::NotFound.into());
    }
    // 2
    let situation = situation_of(world, &record.transaction.merchant).await?;
    Ok(match waiting_page(&record.transaction, attempt) {
        Some(GatewayPage::Form(form)) => Forward::Form {
            form,
            language: Language::of_page(chosen, record.transaction.details.language, accepted),
            is_test: situation.settings.gateway(&attempt.pg_code).is_some_and(|profile| profile.sandbox),
        },
        Some(GatewayPage::Address(url)) => Forward::Address(url.into()),
        None => Forward::Address(return_url(world.installation(), attempt, chosen)),
    })
}
