//! Listing the merchant's payment methods.

use alloc::string::String;
use alloc::vec::Vec;

use crate::access::header::Credential;
use crate::access::{Action, may};
use crate::answer::payment_methods::answer;
use crate::api::payment_methods::{Filter, Request};
use crate::flow::{Failure, authorize};
use crate::gateway::profile::Profile;
use crate::port::{Clock, Store, World};
use crate::rejection::Rejection;

/// Lists payment methods:
///
/// 1. authenticate, before anything of the body is read;
/// 2. read the filters, reporting every wrong field;
/// 3. choose the gateways that the caller may use, in the order of the settings;
/// 4. look up with which of the merchant's codes the customer has paid before.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn list(world: &impl World, credential: &Credential, body: &[u8]) -> Result<String, Failure> {
    let now = world.clock().now();
    // 1
    let caller = authorize(world, credential, Action::ListMethods, now).await?;
    // 2
    let request = Request::from_json(body)?;
    let filter = Filter::parse(&request, &caller.settings).map_err(Rejection::Invalid)?;
    // 3
    let may_use = |profile: &Profile| may(&caller.principal, Action::UseGateway(&profile.code)).is_ok();
    let gateways = caller.settings.gateways.iter();
    let profiles: Vec<&Profile> =
        gateways.filter(|profile| filter.admits(profile) && may_use(profile)).collect();
    // 4
    let paid = match filter.customer_id() {
        Some(customer) => world.store().paid_codes(caller.principal.merchant(), customer).await?,
        None => Vec::new(),
    };
    Ok(answer(&profiles, &paid, &world.installation().public_url))
}
