//! The methods of a transaction, as its view and an SDK show them.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::gateway::mark::Mark;
use crate::gateway::profile::Profile;
use crate::gateway::terms::{Quote, Terms};
use crate::payment::principal::choice;
use crate::sdk::method::{CardMark, Icons, MethodMembers, RedirectFlow};
use crate::transaction::Transaction;

/// The brands of cards that a gateway takes, as far as they are known.
pub(crate) fn card_marks(profile: &Profile, public_url: &str) -> Vec<CardMark> {
    let brands = profile.card_brands.iter().copied();
    let shown = brands.map(|brand| CardMark {
        mark: Mark::of_card_brand(brand).and_then(|mark| mark.address(public_url)),
        name: brand.name().to_string(),
    });
    shown.collect()
}

/// How a gateway charges, if the payer may choose how much.
pub(crate) fn chosen_terms(transaction: &Transaction, profile: &Profile) -> Option<Terms> {
    choice(transaction).and_then(|_| profile.terms(transaction.amount.currency()))
}

/// The members that the view and an SDK both show.
pub(crate) fn method_members(
    transaction: &Transaction,
    profile: &Profile,
    quote: Quote,
    public_url: &str,
) -> MethodMembers {
    let language = transaction.details.language();
    let icon = profile.icon_address(public_url);
    let name = profile.name.text(language);
    MethodMembers {
        amount: quote.total.text(),
        billing: None,
        can_save_card: None,
        card_brands: Vec::new(),
        chosen_amount: None,
        code: profile.code.clone(),
        currency_code: quote.total.currency(),
        fee: quote.fee.text(),
        fee_description: profile
            .fee_of(quote)
            .map_or_else(String::new, |fee| fee.description.text(language).to_string()),
        flow: RedirectFlow::Redirect,
        icons: Icons { svg: icon.clone(), webp: profile.webp_address(public_url) },
        icon,
        is_cash: false,
        is_same: false,
        is_sandbox: profile.sandbox,
        mark: None,
        name: name.to_string(),
        operation: profile.operation,
        pg: name.to_string(),
        pg_code: None,
        redirect_url: None,
        submit_url: None,
        terms: None,
        kind: transaction.plugin,
    }
}
