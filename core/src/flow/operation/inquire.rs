//! Asks a gateway about an operation whose outcome is awaited.

use super::load::load;
use super::settle::{Arrived, settle};
use crate::flow::connect::speak;
use crate::flow::find::settings_for;
use crate::flow::patience::gateway_limit;
use crate::flow::{Failure, now_of};
use crate::gateway::connector::Connector;
use crate::gateway::operation::OperationOutcome;
use crate::operation::apply::{Learned, is_surely_absent};
use crate::port::{Http, SendError, World};
use crate::value::id::ReferenceNumber;

/// Asks about the outcome of an open operation and stores the answer; whether it was asked.
///
/// # Errors
/// A failure of the world.
pub(in crate::flow) async fn inquire(
    world: &impl World,
    reference: &ReferenceNumber,
) -> Result<bool, Failure> {
    let Some(stored) = load(world, reference).await? else { return Ok(false) };
    let child = &stored.child;
    if !child.is_open() {
        return Ok(false);
    }
    let settings = settings_for(world, &child.merchant).await?;
    let asked_at = now_of(world, &settings);
    let connector = match settings.gateway(&child.pg_code) {
        Some(profile) => speak(world, &settings, profile)?,
        None => None,
    };
    let learned = match connector {
        None => Learned::AnswerLost,
        Some(connector) => {
            let question = connector.inquire_operation(&child.attempt, reference);
            match world.http().send(question, gateway_limit(world)).await {
                Ok(answer) => match connector.read_operation(reference, &answer) {
                    // "No such operation" is as old as the question.
                    report
                        if report.outcome == OperationOutcome::Absent
                            && !is_surely_absent(child, asked_at) =>
                    {
                        Learned::AnswerLost
                    }
                    report => Learned::Report(report),
                },
                Err(SendError::NotSent | SendError::Unknown) => Learned::AnswerLost,
            }
        }
    };
    settle(world, stored, &settings, Arrived::of_gateway(learned)).await?;
    Ok(true)
}
