//! A merchant manages its own users, keys, webhook addresses, secrets and deliveries, reads what was changed, and erases data of its payers.

use checkout_core::access::grantor::Grantor;
use checkout_core::flow::Failure;
use checkout_core::flow::account::erase;
use checkout_core::flow::account::{delivery, invite, key, message, receiver, user, webhook_secret};
use checkout_core::flow::operator::{audit, webhook_address};
use checkout_core::value::id::{DeliveryId, UserId};

use crate::call::Call;
use crate::http::{Reply, json};

/// Makes a key.
pub(crate) async fn add_key(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    Ok(json(201, &key::add_key(call.edge.as_ref(), caller.merchant(), by, call.bytes()).await?))
}

/// Lists the keys.
pub(crate) async fn list_keys(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &key::list_keys(call.edge.as_ref(), call.caller()?.merchant()).await?))
}

/// Revokes a key.
pub(crate) async fn revoke_key(call: &Call<'_>, prefix: &str) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    key::revoke_key(call.edge.as_ref(), caller.merchant(), Grantor::Merchant(&caller), prefix).await?;
    Ok(Reply::empty(204))
}

/// Makes a user.
pub(crate) async fn add_user(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    Ok(json(201, &user::add_user(call.edge.as_ref(), caller.merchant(), by, call.bytes()).await?))
}

/// Lists the roles.
pub(crate) fn list_roles(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &user::roles(&call.caller()?)))
}

/// Lists the users.
pub(crate) async fn list_users(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &user::list_users(call.edge.as_ref(), call.caller()?.merchant()).await?))
}

/// Shows a user.
pub(crate) async fn read_user(call: &Call<'_>, id: UserId) -> Result<Reply, Failure> {
    Ok(json(200, &user::read_user(call.edge.as_ref(), call.caller()?.merchant(), id).await?))
}

/// Changes a user.
pub(crate) async fn change_user(call: &Call<'_>, id: UserId) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    Ok(json(200, &user::change_user(call.edge.as_ref(), caller.merchant(), id, by, call.bytes()).await?))
}

/// Sends a user the link by which they choose a password.
pub(crate) async fn invite_user(call: &Call<'_>, id: UserId) -> Result<Reply, Failure> {
    Ok(json(200, &invite::invite_user(call.edge.as_ref(), &call.caller()?, id).await?))
}

/// Removes the second factor of a user.
pub(crate) async fn reset_factor(call: &Call<'_>, id: UserId) -> Result<Reply, Failure> {
    invite::reset_factor(call.edge.as_ref(), &call.caller()?, id).await?;
    Ok(Reply::empty(204))
}

/// Makes a secret of webhooks.
pub(crate) async fn add_webhook_secret(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    Ok(json(201, &webhook_secret::add_webhook_secret(call.edge.as_ref(), caller.merchant(), by).await?))
}

/// Drops the secret before the newest one.
pub(crate) async fn drop_webhook_secret(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    webhook_secret::drop_webhook_secret(call.edge.as_ref(), caller.merchant(), by).await?;
    Ok(Reply::empty(204))
}

/// Shows what was changed.
pub(crate) async fn read_audit(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    Ok(json(200, &audit::read_own_audit(call.edge.as_ref(), &caller, call.head.query()).await?))
}

/// Makes a key of signatures.
pub(crate) async fn replace_signature_key(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    let made = webhook_secret::replace_signature_key(call.edge.as_ref(), caller.merchant(), by, call.bytes());
    Ok(json(201, &made.await?))
}

/// Shows where webhooks go.
pub(crate) async fn read_webhook_addresses(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &webhook_address::read_addresses(call.edge.as_ref(), &call.caller()?).await?))
}

/// Changes where webhooks go.
pub(crate) async fn change_webhook_addresses(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let changed = webhook_address::change_addresses(call.edge.as_ref(), &caller, call.bytes());
    Ok(json(200, &changed.await?))
}

/// Erases what identifies a payer.
pub(crate) async fn erase(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    Ok(json(200, &Box::pin(erase::erase(call.edge.as_ref(), &caller, call.bytes())).await?))
}

/// Shows the log of deliveries.
pub(crate) async fn read_deliveries(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let page = delivery::read_deliveries(call.edge.as_ref(), caller.merchant(), call.head.query());
    Ok(json(200, &page.await?))
}

/// Shows the messages to payers.
pub(crate) async fn read_messages(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let page = message::read_messages(call.edge.as_ref(), caller.merchant(), call.head.query());
    Ok(json(200, &page.await?))
}

/// Shows one delivery.
pub(crate) async fn read_delivery(call: &Call<'_>, id: &DeliveryId) -> Result<Reply, Failure> {
    Ok(json(200, &delivery::read_delivery(call.edge.as_ref(), call.caller()?.merchant(), id).await?))
}

/// Sends deliveries again, after the answer.
pub(crate) async fn resend(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    Ok(json(200, &delivery::resend(call.edge.as_ref(), caller.merchant(), by, call.bytes()).await?))
}

/// Lists the receivers that fail or are disabled.
pub(crate) async fn list_receivers(call: &Call<'_>) -> Result<Reply, Failure> {
    Ok(json(200, &receiver::list_receivers(call.edge.as_ref(), call.caller()?.merchant()).await?))
}

/// Enables one again.
pub(crate) async fn enable_receiver(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let by = Grantor::Merchant(&caller);
    let enabled = receiver::enable_receiver(call.edge.as_ref(), caller.merchant(), by, call.bytes());
    Ok(json(200, &enabled.await?))
}

/// Sends a test webhook.
pub(crate) async fn send_test_webhook(call: &Call<'_>) -> Result<Reply, Failure> {
    let caller = call.caller()?;
    let sent = receiver::send_test_webhook(call.edge.as_ref(), caller.merchant(), call.bytes());
    Ok(json(200, &Box::pin(sent).await?))
}
