//! Which refunds and voids another person has to permit: of the settings, what the merchant changes itself by a form of the desk.

use alloc::string::{String, ToString};

use super::document;
use super::merchant::store;
use crate::access::Caller;
use crate::desk::approval_policy::{VERSION, asked};
use crate::desk::form::DeskForm;
use crate::flow::Failure;
use crate::port::{Clock, Registry, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::settings::approvals::ApprovalPolicy;
use crate::settings::parse::{APPROVALS, read_approvals};
use crate::wire::tree::Tree;

/// The policy that a filled-in form asks for. Nothing is changed.
///
/// # Errors
/// [`Rejection::Invalid`] with every wrong field, [`Rejection::Conflict`] if the form showed other settings.
pub fn check_approval_policy(caller: &Caller, form: &DeskForm) -> Result<ApprovalPolicy, Failure> {
    read(caller, form).map(|(policy, _)| policy)
}

/// Changes the policy as a filled-in form asks, or takes it away; answers the version of the settings that follows. Their other
/// members stay as they are and are not checked again.
///
/// # Errors
/// As [`check_approval_policy`], or a failure of the world.
pub async fn change_approval_policy(
    world: &impl World,
    caller: &Caller,
    form: &DeskForm,
) -> Result<i64, Failure> {
    let (_, policy) = read(caller, form)?;
    let merchant = caller.merchant();
    let stored = world.directory().document(merchant).await?.ok_or(Rejection::NotFound)?;
    if stored.version != caller.situation.settings.version {
        return Err(Rejection::Conflict.into());
    }
    let mut next = document::stored(&stored.text)?;
    match policy.as_deref() {
        Some(policy) => next.set(APPROVALS, Tree::parse(policy).ok_or(Rejection::MalformedBody)?),
        None => next.remove(APPROVALS),
    }
    let entry = Entry::of(caller.actor(), "change_own_approvals", world.clock().now());
    Ok(store(world, entry, merchant, &stored, &next.to_json()).await?.version)
}

/// The policy, and how the settings write it; nothing for no policy.
fn read(caller: &Caller, form: &DeskForm) -> Result<(ApprovalPolicy, Option<String>), Failure> {
    let settings = &caller.situation.settings;
    if form.get(VERSION) != Some(&settings.version.to_string()) {
        return Err(Rejection::Conflict.into());
    }
    let document = asked(form, settings)?;
    let policy = document.as_deref().map_or_else(|| Ok(ApprovalPolicy::default()), read_approvals)?;
    Ok((policy, document))
}
