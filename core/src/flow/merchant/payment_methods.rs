//! Listing the merchant's payment methods.

use alloc::string::String;
use alloc::vec::Vec;

use crate::access::{Caller, Particular};
use crate::answer::payment_methods::answer;
use crate::api::payment_methods::{MethodFilter, PaymentMethodsRequest};
use crate::flow::Failure;
use crate::gateway::profile::Profile;
use crate::port::{Store, World};
use crate::rejection::Rejection;

/// Lists payment methods:
///
/// 1. read the filters, reporting every wrong field;
/// 2. choose the gateways that the caller may use, in the order of the settings;
/// 3. look up with which of the merchant's codes the customer has paid before.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn list(world: &impl World, caller: &Caller, body: &[u8]) -> Result<String, Failure> {
    // 1
    let request = PaymentMethodsRequest::from_json(body)?;
    let filter = MethodFilter::parse(&request, &caller.situation.settings).map_err(Rejection::Invalid)?;
    // 2
    let may_use = |profile: &Profile| caller.may(Particular::UseGateway(&profile.code)).is_ok();
    let gateways = caller.situation.settings.gateways.iter();
    let profiles: Vec<&Profile> =
        gateways.filter(|profile| filter.admits(profile) && may_use(profile)).collect();
    // 3
    let mut paid = match filter.customer_id() {
        Some(customer) => world.ledger(caller.merchant()).paid_codes(caller.merchant(), customer).await?,
        None => Vec::new(),
    };
    paid.retain(|code| caller.situation.settings.gateway(code).is_some_and(may_use));
    Ok(answer(&profiles, &paid, &world.installation().public_url)?)
}
