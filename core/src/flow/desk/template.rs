//! Templates of a new payment, for those who may create payments of its kind.

use alloc::vec::Vec;

use crate::access::{Caller, Particular};
use crate::desk::form::DeskForm;
use crate::desk::template::{MOST, PaymentTemplate, TEMPLATE, TemplateFault};
use crate::flow::Failure;
use crate::port::{PaymentTemplates, World};
use crate::record::audit::Entry;
use crate::rejection::Rejection;
use crate::words::Plugin;

/// The templates of a kind of payment, by their names.
///
/// # Errors
/// If the store fails.
pub async fn templates(
    world: &impl World,
    caller: &Caller,
    plugin: Plugin,
) -> Result<Vec<PaymentTemplate>, Failure> {
    Ok(world.directory().payment_templates(caller.merchant(), plugin, MOST).await?)
}

/// Stores what a form was filled with as a template, in the place of the one that has its name.
///
/// # Errors
/// [`Rejection::PermissionMissing`], or if the store fails.
pub async fn save_template(
    world: &impl World,
    caller: &Caller,
    form: &DeskForm,
) -> Result<Result<(), TemplateFault>, Failure> {
    let plugin = plugin_of(caller, form)?;
    let template = match PaymentTemplate::of(&caller.situation.settings, plugin, form) {
        Ok(template) => template,
        Err(fault) => return Ok(Err(fault)),
    };
    let others = templates(world, caller, plugin).await?;
    let is_new = !others.iter().any(|other| other.name == template.name);
    if is_new && u32::try_from(others.len()).is_ok_and(|count| count >= MOST) {
        return Ok(Err(TemplateFault::TooMany));
    }
    // The audit is never erased: it does not say what a template is filled with.
    let entry = entry(caller, "save_payment_template", &template.name);
    world.directory().save_payment_template(&template, &entry).await?;
    Ok(Ok(()))
}

/// Deletes the template that a form names.
///
/// # Errors
/// [`Rejection::PermissionMissing`], or if the store fails.
pub async fn delete_template(world: &impl World, caller: &Caller, form: &DeskForm) -> Result<bool, Failure> {
    let plugin = plugin_of(caller, form)?;
    let name = form.filled(TEMPLATE).unwrap_or_default();
    let entry = entry(caller, "delete_payment_template", name);
    Ok(world.directory().delete_payment_template((caller.merchant(), plugin), name, &entry).await?)
}

/// The kind of payment that a form names, if the caller may create it.
fn plugin_of(caller: &Caller, form: &DeskForm) -> Result<Plugin, Rejection> {
    let plugin = form.get("type").and_then(Plugin::parse).ok_or(Rejection::PermissionMissing)?;
    caller.may(Particular::Create(plugin, &[]))?;
    Ok(plugin)
}

fn entry(caller: &Caller, action: &'static str, name: &str) -> Entry {
    Entry::of(caller.actor(), action, caller.situation.real_now()).about(caller.merchant()).on(name)
}
