//! What happened to a transaction.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::fixture::Fixture;
use super::{Checked, holds, same};
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::change::{AttemptWrite, EventKind};
use crate::port::{LoggedTry, Next, Store, Timelines, Try};
use crate::record::audit::{Actor, ActorKind};
use crate::record::event::{EventWord, LoggedEvent};
use crate::record::receiver::{ReceiverEffect, TryError};
use crate::state::State;
use crate::words::role::Role;

pub(super) async fn events_are_read_back_with_who_caused_them(
    store: &(impl Store + Timelines),
    fixture: &Fixture,
) -> Checked {
    let user =
        Actor { kind: ActorKind::User, id: "7".into(), name: Some("sara ' نور".into()), role: None };
    let operator = Actor {
        kind: ActorKind::Operator,
        id: "2".into(),
        name: Some("ops".into()),
        role: Some(Role::Support),
    };
    let created = fixture.created(fixture.transaction()?).by(user.clone());
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let opened = fixture.opened(&created.transaction, attempt.clone());
    store.commit(&opened).await?;
    let lost = Attempt { stage: Stage::Unknown, ..attempt.clone() };
    let write = AttemptWrite::Update { from: Stage::Sending, attempt: lost };
    let noted = fixture.noted(&opened.transaction).with_attempt(write);
    store.commit(&noted).await?;
    let mut asked = fixture.noted(&noted.transaction).by(operator.clone());
    asked.event = EventKind::Inquired;
    store.commit(&asked).await?;
    let event = |number, event, state, stage: Option<&str>, actor| LoggedEvent {
        number,
        at: fixture.now,
        event,
        state,
        subject: stage.map(|stage| (attempt.reference.clone(), stage.to_string())),
        actor,
    };
    let wanted = [
        event(4, EventWord::Inquired, State::Pending, None, Some(operator)),
        event(3, EventWord::AttemptNoted, State::Pending, Some("unknown"), None),
        event(2, EventWord::AttemptOpened, State::Pending, Some("sending"), None),
        event(1, EventWord::Created, State::Created, None, Some(user)),
    ];
    let session_id = &created.transaction.session_id;
    same("all", store.logged_events(session_id, 9).await?, Vec::from(wanted.clone()))?;
    same("the latest", store.logged_events(session_id, 2).await?, Vec::from(&wanted[..2]))?;
    holds("none of another", store.logged_events(&fixture.session_id(), 9).await?.is_empty())
}

pub(super) async fn the_tries_of_a_transaction_are_read_the_newest_first(
    store: &(impl Store + Timelines),
    fixture: &Fixture,
) -> Checked {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut opened = fixture.opened(&created.transaction, attempt.clone());
    let message = fixture.message(&opened, &attempt.reference);
    opened.messages.push(message.clone());
    store.commit(&opened).await?;
    let first = Try {
        at: fixture.after(4),
        status: Some(503),
        error: None,
        excerpt: Some("not now".into()),
        took_ms: 7,
        next: Next::Again(fixture.after(90)),
        receiver: ReceiverEffect::Nothing,
    };
    store.finish_try(&message.id, &first, None).await?;
    let silent = Try {
        at: fixture.after(91),
        status: None,
        error: Some(TryError::NoAnswer),
        excerpt: None,
        ..first.clone()
    };
    store.finish_try(&message.id, &silent, None).await?;
    let logged = |number, tried: &Try| LoggedTry {
        number,
        at: tried.at,
        status: tried.status,
        error: tried.error,
        took_ms: tried.took_ms,
        excerpt: tried.excerpt.clone(),
    };
    let wanted = [(message.id.clone(), logged(2, &silent)), (message.id.clone(), logged(1, &first))];
    let session_id = &created.transaction.session_id;
    same("all", store.logged_tries(session_id, 9).await?, Vec::from(wanted.clone()))?;
    same("the latest", store.logged_tries(session_id, 1).await?, Vec::from(&wanted[..1]))?;
    holds("none of another", store.logged_tries(&fixture.session_id(), 9).await?.is_empty())
}
