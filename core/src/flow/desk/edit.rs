//! Changing a payment that can still be paid, by a form.

use alloc::string::String;
use alloc::vec::Vec;

use crate::access::{Caller, Codes, Particular};
use crate::desk::form::DeskForm;
use crate::desk::new_payment::{changes, filled_with};
use crate::desk::personal::seen_by;
use crate::draft::writable::entity_tag;
use crate::flow::merchant::update::{Extent, UpdateInput, update};
use crate::flow::{Failure, find};
use crate::port::World;
use crate::rejection::{RefusedRequest, Rejection};
use crate::value::id::SessionId;
use crate::violation::Violation;

/// A payment that is to be changed.
#[derive(Debug)]
pub struct Editable {
    /// What it is now, as the person may see it.
    pub form: DeskForm,
    /// Which state of it the form shows.
    pub tag: String,
}

/// What the form of a payment shows.
///
/// # Errors
/// [`Rejection::NotFound`], [`Rejection::NotUpdatable`], a refusal, or a failure of the world.
pub async fn editable(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
) -> Result<Editable, Failure> {
    let record = find::seen_by(world, caller, session_id).await?;
    let state = record.transaction.state_at(caller.situation.now, record.has_open_attempt());
    let stored = &record.transaction;
    let codes = Codes { stored: &stored.pg_codes, given: &stored.pg_codes, is_replaced: false };
    caller.may(Particular::Update(stored.plugin, codes))?;
    if !state.is_payable() {
        return Err(Rejection::NotUpdatable { state }.into());
    }
    let tag = entity_tag(stored, state, caller.situation.settings.version)?;
    Ok(Editable { form: filled_with(&seen_by(caller, record.transaction)), tag })
}

/// What became of a change.
#[derive(Debug)]
pub enum Edited {
    /// It is stored.
    Done,
    /// The payment is not as the form showed it: nothing was changed.
    Stale,
    /// These fields are wrong: nothing was changed.
    Wrong(Vec<Violation>),
}

/// Changes a payment as a form asks, if it is as the form showed it.
///
/// # Errors
/// The rejection, or a failure of the world.
pub async fn edit(
    world: &impl World,
    caller: &Caller,
    session_id: &SessionId,
    form: &DeskForm,
) -> Result<Edited, Failure> {
    let body = changes(form)?;
    let input = UpdateInput {
        caller: caller.clone(),
        session_id: session_id.clone(),
        extent: Extent::Partial,
        if_match: Some(form.get("tag").unwrap_or_default()),
        body: body.as_bytes(),
        file: None,
        wrong: &[],
    };
    match update(world, input).await {
        Ok(_) => Ok(Edited::Done),
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::PreconditionFailed, .. })) => {
            Ok(Edited::Stale)
        }
        Err(Failure::Refused(RefusedRequest { rejection: Rejection::Invalid(found), .. })) => {
            Ok(Edited::Wrong(found))
        }
        Err(failure) => Err(failure),
    }
}
