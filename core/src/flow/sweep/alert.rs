//! Alerts merchants, and those who operate the installation, to what is new on the attention list.
//!
//! The list is the truth: what is open on it and was not reported yet is reported, of each merchant and topic in one alert, and at
//! most once an hour. An alert is stored as messages of the outbox together with the note that its entries were reported, and is
//! delivered like every other message. A message of an alert that cannot be delivered is no entry of the list.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use crate::answer::alert::AlertRaised;
use crate::flow::situation::situation_of;
use crate::message::alert::body;
use crate::port::{Alert, AlertAudience, AlertGroup, Alerts, Clock, PortError, Ring, Rng, World};
use crate::record::attention::Attention;
use crate::record::outbox::{Message, MessageKind, Recipient, Subject};
use crate::settings::alerts::AlertSettings;
use crate::value::id::{DeliveryId, MerchantId, ReferenceNumber};
use crate::value::slot::Slot;
use crate::value::slot::Slotted;
use crate::value::time::Timestamp;
use crate::words::message::Channel;

/// How long after an alert the next one of the same merchant and topic follows at the earliest.
const PAUSE: Duration = Duration::from_hours(1);
/// The most alerts of one run to one audience.
const MAX_ALERTS: u32 = 20;
/// The most entries that one alert counts; more are reported an hour later.
const MAX_ENTRIES: u32 = 500;
/// How the references of alerts begin.
const PREFIX: &str = "ALERT";

/// What came of one run.
#[derive(Default)]
pub(in crate::flow) struct Raised {
    /// How many alerts were raised.
    pub(in crate::flow) alerts: usize,
    /// What failed; what was not reported because of it is reported by a later run.
    pub(in crate::flow) failures: Vec<PortError>,
}

/// Reports what is to be reported, while there is time. What fails for one group holds up no other.
pub(in crate::flow) async fn raise(world: &impl World, may_begin: impl Fn() -> bool) -> Raised {
    let mut raised = Raised::default();
    raised.failures.extend(world.ledger(&Slot::FIRST).flag_gateways(world.clock().now()).await.err());
    for audience in AlertAudience::ALL {
        if audience == AlertAudience::Operators && world.operator_alerts().is_none() {
            continue;
        }
        let now = world.clock().now();
        let groups = match world
            .ledger(&Slot::FIRST)
            .unreported_groups(audience, now.minus(PAUSE), MAX_ALERTS)
            .await
        {
            Ok(groups) => groups,
            Err(error) => {
                raised.failures.push(error);
                continue;
            }
        };
        for group in groups {
            if !may_begin() {
                return raised;
            }
            match report(world, audience, &group, now).await {
                Ok(is_reported) => raised.alerts = raised.alerts.saturating_add(usize::from(is_reported)),
                Err(error) => raised.failures.push(error),
            }
        }
    }
    raised
}

/// To whom an alert goes, and through whose account.
struct Destination {
    carrier: MerchantId,
    to: AlertSettings,
    /// How far the time of the carrier is ahead.
    offset: Duration,
}

impl Destination {
    async fn of(
        world: &impl World,
        audience: AlertAudience,
        group: &AlertGroup,
    ) -> Result<Option<Self>, PortError> {
        let operators = world.operator_alerts().filter(|_| audience == AlertAudience::Operators);
        let carrier = operators.map_or(&group.merchant, |operators| &operators.carrier);
        let situation = situation_of(world, carrier).await?;
        let to = operators.map_or(&situation.settings.alerts, |operators| &operators.to);
        let destination = Self { carrier: carrier.clone(), to: to.clone(), offset: situation.ahead() };
        Ok(Some(destination).filter(|destination| destination.to.wants(group.topic)))
    }
}

/// Reports one group of entries; whether that was done.
async fn report(
    world: &impl World,
    audience: AlertAudience,
    group: &AlertGroup,
    at: Timestamp,
) -> Result<bool, PortError> {
    let Some(destination) = Destination::of(world, audience, group).await? else { return Ok(false) };
    let entries = world.ledger(&Slot::FIRST).unreported_entries(audience, group, MAX_ENTRIES).await?;
    if entries.is_empty() {
        return Ok(false);
    }
    let messages = messages(world, group, &destination, &entries, at)?;
    let alert = Alert { audience, group, entries: &entries, messages: &messages, at };
    let stored = world.ledger(&alert).store_alert(&alert).await;
    if !matches!(stored, Ok(false)) {
        world.post(messages.iter().map(|message| Ring::first(message.id.clone())).collect());
    }
    stored
}

/// A message to each address.
fn messages(
    world: &impl World,
    group: &AlertGroup,
    destination: &Destination,
    entries: &[Attention],
    at: Timestamp,
) -> Result<Vec<Message>, PortError> {
    let raised = AlertRaised::of(&group.merchant, group.topic, entries, at);
    let broken = || PortError { port: "alert", detail: "an alert cannot be written".into() };
    let webhook = serde_json::to_string(&raised).map_err(|_| broken())?;
    let slot = destination.carrier.slot();
    let mut random = [0; 8];
    world.rng().fill(&mut random)?;
    let reference = ReferenceNumber::generate(PREFIX, slot, random);
    let mut messages = Vec::new();
    let mut add = |kind, recipient, body: String| -> Result<(), PortError> {
        let mut random = [0; 20];
        world.rng().fill(&mut random)?;
        messages.push(Message {
            id: DeliveryId::of_alert(slot, random),
            merchant: destination.carrier.clone(),
            kind,
            subject: Subject { session_id: None, reference: reference.clone() },
            recipient,
            body,
            due_at: at.plus(destination.offset),
        });
        Ok(())
    };
    if let Some(url) = &destination.to.webhook_url {
        add(MessageKind::AlertWebhook, Recipient::to(url), webhook.clone())?;
    }
    for to in &destination.to.emails {
        let letter = body(to, &webhook).ok_or_else(broken)?;
        add(MessageKind::AlertEmail, Recipient::Provider(Channel::Email), letter)?;
    }
    Ok(messages)
}
