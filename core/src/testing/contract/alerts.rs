//! What was notified of the attention list, and to whom.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::fixture::{Fixture, document};
use super::{Checked, Problem, holds, same};
use crate::attempt::Attempt;
use crate::port::{
    Alert, AlertAudience, AlertGroup, Alerts, Deliveries, Doorbell, Doorbells, Due, MessageClaim, Messages,
    Reconciliations, Registry, StepFindings, Store,
};
use crate::reconciliation::Reconciliation;
use crate::record::attention::{Attention, Reason, Topic};
use crate::record::facts::{FactCode, Facts};
use crate::record::health::{HealthWrite, Seen};
use crate::record::outbox::{ALERT_LANE, DeliveryState, Message, MessageKind, Recipient, Subject};
use crate::value::id::{DeliveryId, PgCode};
use crate::value::slot::Slot;
use crate::words::message::Channel;

/// More groups than a run of the checks makes.
const MANY: u32 = 10_000;

/// Entries for these reasons, each of an attempt of its own.
async fn flagged(
    store: &impl Store,
    fixture: &Fixture,
    reasons: &[Reason],
) -> Result<Vec<Attention>, Problem> {
    let mut entries = Vec::new();
    for reason in reasons {
        let created = fixture.created(fixture.transaction()?);
        store.commit(&created).await?;
        let attempt = fixture.attempt(&created.transaction, 1)?;
        let mut change = fixture.opened(&created.transaction, attempt.clone());
        let entry = fixture.attention(&attempt, *reason);
        change.attention.push(entry.clone());
        store.commit(&change).await?;
        entries.push(entry);
    }
    Ok(entries)
}

/// What an audience is to be notified of the check's merchant, if the last alerts may have been so many seconds after the beginning.
async fn unreported_groups(
    store: &impl Alerts,
    fixture: &Fixture,
    audience: AlertAudience,
    seconds: u64,
) -> Result<Vec<AlertGroup>, Problem> {
    let found = store.unreported_groups(audience, fixture.after(seconds), MANY).await?;
    let mut own: Vec<AlertGroup> =
        found.into_iter().filter(|group| group.merchant == fixture.merchant).collect();
    own.sort_by_key(|group| group.topic.as_str());
    Ok(own)
}

fn group(fixture: &Fixture, topic: Topic, alerts_before: i64) -> AlertGroup {
    AlertGroup { merchant: fixture.merchant.clone(), topic, alerts_before }
}

fn message(fixture: &Fixture, kind: MessageKind, recipient: Recipient) -> Message {
    Message {
        id: DeliveryId::of_alert(Slot::FIRST, fixture.random()),
        merchant: fixture.merchant.clone(),
        kind,
        subject: Subject { session_id: None, reference: fixture.reference() },
        recipient,
        body: String::from(r#"{"a":1}"#),
        due_at: fixture.now,
    }
}

/// Reports the entries of a group after so many seconds.
async fn store_alert(
    store: &impl Alerts,
    fixture: &Fixture,
    (audience, group): (AlertAudience, &AlertGroup),
    messages: &[Message],
    seconds: u64,
) -> Result<bool, Problem> {
    let entries = store.unreported_entries(audience, group, MANY).await?;
    let at = fixture.after(seconds);
    Ok(store.store_alert(&Alert { audience, group, entries: &entries, messages, at }).await?)
}

/// The settings of the check's merchant, with these alerts.
async fn choose(store: &impl Registry, fixture: &Fixture, alerts: &str) -> Checked {
    let version = store.merchant(&fixture.merchant).await?.ok_or("no settings")?.settings.version;
    let text = document("Demo Store");
    let open = text.trim_end().strip_suffix('}').ok_or("no object")?;
    let text = alloc::format!(r#"{open},"alerts":{alerts}}}"#);
    holds("replaced", fixture.replace(store, version, &text).await?)
}

pub(super) async fn an_entry_is_reported_once_to_each_audience(
    store: &(impl Alerts + Store + Registry),
    fixture: &Fixture,
) -> Checked {
    choose(store, fixture, r#"{"emails":["ops@example.com"]}"#).await?;
    let entries =
        flagged(store, fixture, &[Reason::SecondSuccess, Reason::UnknownCharge, Reason::TakenBack]).await?;
    for audience in AlertAudience::ALL {
        let wanted: Vec<AlertGroup> =
            [Topic::Payment, Topic::Reconciliation].map(|topic| group(fixture, topic, 0)).into();
        same("groups", unreported_groups(store, fixture, audience, 0).await?, wanted.clone())?;
        let [payments, _] = &wanted[..] else { return Err("two groups".into()) };
        let found = store.unreported_entries(audience, payments, MANY).await?;
        let of_payments = entries.iter().filter(|entry| entry.reason != Reason::UnknownCharge);
        let mut expected: Vec<Attention> = of_payments.cloned().collect();
        expected.sort_by_key(|entry| entry.reference.clone());
        same("entries", found, expected)?;
        same("limit", store.unreported_entries(audience, payments, 1).await?.len(), 1)?;
        holds("reported", store_alert(store, fixture, (audience, payments), &[], 5).await?)?;
        let rest = Vec::from([group(fixture, Topic::Reconciliation, 0)]);
        same("the other topic", unreported_groups(store, fixture, audience, 4).await?, rest)?;
        same("no entries", store.unreported_entries(audience, payments, MANY).await?, Vec::new())?;
    }
    flagged(store, fixture, &[Reason::SecondSuccess]).await?;
    let waiting = unreported_groups(store, fixture, AlertAudience::Merchant, 4).await?;
    holds("not so soon", waiting.iter().all(|group| group.topic != Topic::Payment))?;
    let due = unreported_groups(store, fixture, AlertAudience::Merchant, 5).await?;
    holds("after the pause", due.contains(&group(fixture, Topic::Payment, 1)))
}

pub(super) async fn of_two_alerts_after_the_same_one_the_second_is_not_stored(
    store: &(impl Alerts + Store + Deliveries),
    fixture: &Fixture,
) -> Checked {
    for (before, seconds) in [(0, 5), (1, 10)] {
        flagged(store, fixture, &[Reason::SecondSuccess]).await?;
        let found = group(fixture, Topic::Payment, before);
        let entries = store.unreported_entries(AlertAudience::Operators, &found, MANY).await?;
        let mut stored = Vec::new();
        for _ in 0..2 {
            let message = message(
                fixture,
                MessageKind::AlertWebhook,
                Recipient::Receiver("https://a.example.com/".into()),
            );
            let messages = core::slice::from_ref(&message);
            let alert = Alert {
                audience: AlertAudience::Operators,
                group: &found,
                entries: &entries,
                messages,
                at: fixture.after(seconds),
            };
            let is_reported = store.store_alert(&alert).await?;
            let is_logged = store.logged_delivery(&fixture.merchant, &message.id).await?.is_some();
            same("all or nothing", is_logged, is_reported)?;
            stored.push(is_reported);
        }
        same("once", stored, [true, false].into())?;
    }
    Ok(())
}

pub(super) async fn what_is_closed_is_not_reported(
    store: &(impl Alerts + Store),
    fixture: &Fixture,
) -> Checked {
    let entries = flagged(store, fixture, &[Reason::SecondSuccess]).await?;
    let [entry] = &entries[..] else { return Err("one entry".into()) };
    let payments = group(fixture, Topic::Payment, 0);
    store.close_attention(&entry.id(), fixture.closing("dismissed")).await?;
    same("closed", unreported_groups(store, fixture, AlertAudience::Operators, 0).await?, Vec::new())?;
    same("no entries", store.unreported_entries(AlertAudience::Operators, &payments, MANY).await?, Vec::new())
}

pub(super) async fn a_difference_that_is_another_one_now_is_reported_again(
    store: &(impl Alerts + Store + Reconciliations),
    fixture: &Fixture,
) -> Checked {
    let entries = flagged(store, fixture, &[Reason::UnknownCharge]).await?;
    let [entry] = &entries[..] else { return Err("one entry".into()) };
    let report = async |alerts_before| -> Result<Vec<Attention>, Problem> {
        let differences = group(fixture, Topic::Reconciliation, alerts_before);
        let found = store.unreported_entries(AlertAudience::Operators, &differences, MANY).await?;
        if !found.is_empty() {
            store_alert(store, fixture, (AlertAudience::Operators, &differences), &[], 5).await?;
        }
        Ok(found)
    };
    let code = PgCode::parse("mpgs").ok_or("no code")?;
    let mut stored = Reconciliation::new(fixture.merchant.clone(), code, fixture.now, fixture.now);
    let mut find = async |difference: &Attention| -> Checked {
        stored.version = stored.version.saturating_add(1);
        let found = StepFindings { settled: Vec::new(), differences: Vec::from([difference.clone()]) };
        holds("stored", store.save_reconciliation(&stored, &found, fixture.now).await?)
    };
    same("reported", report(0).await?, Vec::from([entry.clone()]))?;
    store.close_attention(&entry.id(), fixture.closing("dismissed")).await?;
    find(entry).await?;
    same("the same difference", report(1).await?, Vec::new())?;
    let other = Attention { detail: "another amount".into(), at: fixture.after(9), ..entry.clone() };
    find(&other).await?;
    same("another difference", report(1).await?, Vec::from([other.clone()]))?;
    same("once", report(2).await?, Vec::new())
}

pub(super) async fn a_merchant_is_reported_only_what_its_settings_choose(
    store: &(impl Alerts + Store + Registry),
    fixture: &Fixture,
) -> Checked {
    flagged(store, fixture, &[Reason::SecondSuccess, Reason::DeliveryGivenUp]).await?;
    let topics = async || -> Result<Vec<&'static str>, Problem> {
        let found = unreported_groups(store, fixture, AlertAudience::Merchant, 0).await?;
        Ok(found.iter().map(|group| group.topic.as_str()).collect())
    };
    same("nobody asked", topics().await?, Vec::new())?;
    for (alerts, wanted) in [
        ("{}", &[][..]),
        (r#"{"emails":[]}"#, &[]),
        (r#"{"on":["payment"]}"#, &[]),
        (r#"{"emails":["a@example.com"]}"#, &["payment", "webhook"]),
        (r#"{"webhook_url":"https://ops.example.com/"}"#, &["payment", "webhook"]),
        (r#"{"emails":["a@example.com"],"on":["webhook","gateway"]}"#, &["webhook"]),
    ] {
        choose(store, fixture, alerts).await?;
        same(alerts, topics().await?, wanted.into())?;
    }
    Ok(())
}

/// A failure of the gateway of an attempt, after which it is skipped for ten seconds.
async fn failing(store: &impl Store, fixture: &Fixture, seconds: u64) -> Result<Attempt, Problem> {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let attempt = fixture.attempt(&created.transaction, 1)?;
    let mut change = fixture.opened(&created.transaction, attempt.clone());
    let seen = Seen::Failed {
        at: fixture.after(seconds),
        counted_from: fixture.now,
        skipped_from: 1,
        skipped_until: fixture.after(seconds.saturating_add(10)),
    };
    let (merchant, code) = (fixture.merchant.clone(), attempt.pg_code.clone());
    change.health = Some(HealthWrite { merchant, code, seen }.into());
    store.commit(&change).await?;
    Ok(attempt)
}

async fn answered(store: &impl Store, fixture: &Fixture, code: &PgCode) -> Checked {
    let created = fixture.created(fixture.transaction()?);
    store.commit(&created).await?;
    let mut change = fixture.noted(&created.transaction);
    let (merchant, code) = (fixture.merchant.clone(), code.clone());
    change.health = Some(HealthWrite { merchant, code, seen: Seen::Answered }.into());
    Ok(store.commit(&change).await?)
}

pub(super) async fn a_gateway_that_is_skipped_is_one_entry_until_it_answers(
    store: &(impl Alerts + Store),
    fixture: &Fixture,
) -> Checked {
    let gateway = group(fixture, Topic::Gateway, 0);
    let listed = async |seconds: u64| -> Result<Vec<Attention>, Problem> {
        store.flag_gateways(fixture.after(seconds)).await?;
        Ok(store.unreported_entries(AlertAudience::Operators, &gateway, MANY).await?)
    };
    let attempt = failing(store, fixture, 1).await?;
    same("not skipped any more", listed(11).await?, Vec::new())?;
    let entry = Attention {
        at: fixture.after(2),
        detail: Facts::default().and(FactCode::GatewayFailed, &[attempt.pg_code.as_str(), "1"]),
        ..fixture.attention(&attempt, Reason::GatewayFailing)
    };
    same("listed", listed(2).await?, [entry.clone()].into())?;
    failing(store, fixture, 5).await?;
    same("once", listed(6).await?, [entry.clone()].into())?;
    answered(store, fixture, &attempt.pg_code).await?;
    same("closed", listed(7).await?, Vec::new())?;
    let is_open = store.flagged(&entry.id()).await?.map(|flagged| flagged.is_open);
    same("by itself", is_open, Some(false))
}

pub(super) async fn a_message_of_an_alert_is_claimed_logged_and_never_flagged(
    store: &(impl Alerts + Store + Deliveries + Doorbells + Messages),
    fixture: &Fixture,
) -> Checked {
    flagged(store, fixture, &[Reason::SecondSuccess]).await?;
    let url = "https://ops.example.com/alerts";
    let sent = [
        message(fixture, MessageKind::AlertWebhook, Recipient::Receiver(url.into())),
        message(fixture, MessageKind::AlertEmail, Recipient::Provider(Channel::Email)),
    ];
    let payments = group(fixture, Topic::Payment, 0);
    holds("reported", store_alert(store, fixture, (AlertAudience::Operators, &payments), &sent, 0).await?)?;
    let due = Due {
        merchant: Some(&fixture.merchant),
        now: fixture.now,
        share: 100,
        limit: 100,
        unrung_since: None,
    };
    let turns = store.due_deliveries(due).await?;
    for message in &sent {
        let lane = turns.iter().find(|turn| turn.item == message.id).map(|turn| turn.lane.clone());
        holds("a lane of its own", lane.is_some_and(|lane| lane.starts_with(ALERT_LANE)))?;
        let lease = fixture.now.plus(Duration::from_mins(1));
        let claimed = store.claim(&message.id, fixture.now, lease).await?;
        let wanted =
            MessageClaim { message: message.clone(), failed_tries: 0, failing_since: None, lost_until: None };
        same("claimed", claimed, Some(wanted))?;
        let logged = store.logged_delivery(&fixture.merchant, &message.id).await?;
        let logged = logged.map(|found| (found.row.session_id, found.row.kind, found.row.state));
        same("logged", logged, Some((None, message.kind, DeliveryState::Due)))?;
        let bell = Doorbell::Delivery(message.id.clone());
        holds("not flagged", !store.flag_unprocessed(&bell, fixture.now).await?)?;
        same("no note", store.message_note(&message.id).await?, None)?;
    }
    Ok(())
}
