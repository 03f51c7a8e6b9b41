//! What checkout SDKs show that a payment costs.
//!
//! Decision: a call says what the payer was shown, in `shown_total` and `shown_currency`. One of an older SDK says nothing;
//! then what the SDK was answered last when it opened counts, because an SDK shows what it is answered. Who never asked, such as
//! a page that a merchant made by hand, pays what the payment costs, as before.

use alloc::string::String;
use alloc::vec::Vec;

use crate::api::pay::{price_of, shown_field};
use crate::change::{Change, EventKind};
use crate::flow::Failure;
use crate::flow::commit::commit;
use crate::flow::payer::open_page::{PayerVisit, Viewer};
use crate::gateway::profile::Profile;
use crate::gateway::shown::{SaidPrice, ShownPrice};
use crate::payment::principal::choice;
use crate::payment::routing::accepting;
use crate::port::World;
use crate::rejection::Rejection;
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::violation::{Rule, Violation};

/// What the payer was shown that a payment through a gateway costs: what the call says, or else what the SDK was answered last;
/// `None` if neither is known.
pub(crate) fn shown(
    transaction: &Transaction,
    profile: &Profile,
    said: &SaidPrice,
) -> Result<Option<ShownPrice>, Rejection> {
    let wrong = |error| Rejection::Invalid([Violation::new("shown_total", Rule::Amount(error))].into());
    let charged = profile.terms(transaction.amount.currency()).map(|terms| terms.fixed.currency());
    let said = said.read(charged.unwrap_or_else(|| transaction.amount.currency())).map_err(wrong)?;
    Ok(said.or_else(|| {
        let answered = transaction.shown.as_deref()?;
        answered.lines().find_map(|line| price_of(line, profile.code.as_str()))
    }))
}

/// What each gateway costs, line by line.
pub(crate) fn prices(transaction: &Transaction, settings: &MerchantSettings) -> String {
    let is_editable = choice(transaction).is_some();
    let lines = accepting(transaction, settings).filter_map(|(profile, quote)| {
        let terms = profile.terms(transaction.amount.currency())?;
        Some(shown_field(profile.code.as_str(), &ShownPrice::of(&quote, terms, is_editable)))
    });
    let lines: Vec<String> = lines.collect();
    lines.join("\n")
}

/// Notes what an SDK shows a payer who can pay, if it is something else than before.
pub(crate) async fn note_shown(
    world: &impl World,
    arrival: &mut PayerVisit,
    viewer: Viewer,
) -> Result<(), Failure> {
    let transaction = &arrival.record.transaction;
    let prices = prices(transaction, &arrival.situation.settings);
    let is_known = transaction.shown.as_deref() == Some(prices.as_str());
    if viewer != Viewer::Person || is_known || !transaction.state.is_payable() {
        return Ok(());
    }
    let next = Transaction { shown: Some(prices), ..transaction.clone() };
    let mut change = Change::of(next, EventKind::Updated, arrival.situation.now);
    // Who loses a race is shown what is stored by then with the next call.
    if commit(world, &mut change).await? {
        arrival.record.transaction = change.transaction;
    }
    Ok(())
}
