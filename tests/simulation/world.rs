//! The ports in memory, as they are with a bad network: every call may be interrupted before and after it,
//! and every call to the store may fail.

/// Methods that ask the store: whether one reads or writes, its name, its arguments, and what it answers.
macro_rules! asks {
    ($($way:ident $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $answer:ty)?;)*) => {
        $(
            async fn $name(&self, $($argument: $type),*) -> Result<asks!(@answer $($answer)?), PortError> {
                self.$way(self.inner.store.$name($($argument),*)).await
            }
        )*
    };
    (@answer) => { () };
    (@answer $answer:ty) => { $answer };
}

mod deliveries;
mod desk;
mod operating;
mod tables;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::BTreeSet;

use std::rc::Rc;
use std::time::Duration;

use checkout_core::access::key::ApiKey;
use checkout_core::access::operator::Operator;
use checkout_core::attempt::Attempt;
use checkout_core::card::agreement::{AgreementKey, SavedAgreement};
use checkout_core::card::{CardToken, Holder, SavedCard};
use checkout_core::change::{AttemptWrite, Change};
use checkout_core::child::Child;
use checkout_core::gateway::exchange::{Incoming, Outgoing};
use checkout_core::operation::begin::Books;
use checkout_core::operation::standing::ListedPage;
use checkout_core::operation::standing::Standing;
use checkout_core::payment::card_testing::TriedPayment;
use checkout_core::payment::chase::Urgency;
use checkout_core::payment::receipt::TransactionEnd;
use checkout_core::port::{
    self, Attachments, Awaited, Bookkeeping, CardDeletion, CardName, Cards, ClaimedMessages, Closing,
    CommitError, Decisions, Directory, Due, DueRow, Endings, Finished, Flagged, FoundUser, Http, ImageEntry,
    Journal, KeyEntry, KeyHolder, Keyring, Ledger, MessageClaim, NewDocument, NewKey, NewMerchant,
    NewOperator, NewSecrets, NewUser, NewestDelivery, OperatorEntry, Operators, PortError, Published,
    Reconciliations, Record, RecordedCharge, Registry, Ring, Scope, SendError, StepFindings, Store,
    StoredDocument, StoredImage, StoredVersion, Try, TrySubject, Unsettled, UserChange, UserEntry, UserKey,
    Users,
};
use checkout_core::reconciliation::Reconciliation;
use checkout_core::record::attachment::{Attachment, AttachmentName};
use checkout_core::record::attention::{Attention, AttentionId};
use checkout_core::record::audit::{Entry, RecordedEntry, Search};
use checkout_core::record::decision::RoutingDecision;
use checkout_core::record::health::Health;
use checkout_core::record::idempotency::StoredAnswer;
use checkout_core::record::short_link::{ShortCode, ShortLink};
use checkout_core::settings::MerchantSettings;
use checkout_core::settings::brand::image::ImageName;
use checkout_core::settings::situation::Merchant;
use checkout_core::state::State;
use checkout_core::testing::rng::SeededRng;
use checkout_core::testing::world::World;
use checkout_core::transaction::listing::Listing;
use checkout_core::value::id::{
    DeliveryId, MerchantId, OperatorId, PgCode, ReferenceNumber, SessionId, UserId,
};
use checkout_core::value::time::Timestamp;

use crate::crowd::step_back;
use crate::weather::Weather;
use checkout_core::value::slot::Slotted;

/// A world in memory under the weather of a run.
#[derive(Debug)]
pub(crate) struct FaultyWorld {
    pub(crate) inner: World,
    weather: Rc<Weather>,
    in_flight: RefCell<BTreeSet<String>>,
}

impl FaultyWorld {
    pub(crate) fn new(seed: u64, weather: &Rc<Weather>) -> Self {
        Self { inner: World::new(seed), weather: Rc::clone(weather), in_flight: RefCell::default() }
    }

    /// Lets time pass, for the clock and for the weather.
    pub(crate) fn advance(&self, by: Duration) {
        self.inner.clock.advance(by);
        self.weather.now.set(port::Clock::now(&self.inner.clock));
    }

    async fn pause(&self) {
        for _ in 0..self.weather.pauses() {
            step_back().await;
        }
    }

    /// A call that changes nothing.
    async fn read<T>(&self, call: impl Future<Output = Result<T, PortError>>) -> Result<T, PortError> {
        self.pause().await;
        if self.weather.chance(|rates| rates.read) {
            return Err(broken("a read failed"));
        }
        let read = call.await;
        self.pause().await;
        read
    }

    /// A call that stores something, unless it fails before; if it fails after, it is stored.
    async fn write<T, E: From<Broken>>(&self, call: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        self.pause().await;
        if self.weather.chance(|rates| rates.write_before) {
            self.weather.note(|| "a write fails, nothing is stored".into());
            return Err(Broken("a write failed before it was stored").into());
        }
        let written = call.await;
        self.pause().await;
        if self.weather.chance(|rates| rates.write_after) {
            self.weather.note(|| "a write fails after it was stored".into());
            return Err(Broken("a write failed after it was stored").into());
        }
        written
    }

    fn check_open_attempts(&self, session_id: &SessionId) {
        let attempts = self.inner.store.attempts(session_id);
        let open = attempts.iter().filter(|attempt| attempt.stage.is_open()).count();
        self.weather.holds(open <= 1, || format!("{open} attempts of {session_id} are open"));
    }
}

/// A fault of the store, for calls with another type of error.
struct Broken(&'static str);

fn broken(detail: &str) -> PortError {
    PortError { port: "store", detail: detail.into() }
}

impl From<Broken> for PortError {
    fn from(Broken(detail): Broken) -> Self {
        broken(detail)
    }
}

/// What the store says of a change, as far as a fault needs to say it.
struct Commit(CommitError);

impl From<Broken> for Commit {
    fn from(fault: Broken) -> Self {
        Self(CommitError::Failed(fault.into()))
    }
}

impl Directory for FaultyWorld {}
impl Ledger for FaultyWorld {}

impl Store for FaultyWorld {
    asks! {
        read load(session_id: &SessionId) -> Option<Record>;
        write claim_inquiry(reference: &ReferenceNumber, due_at: Timestamp, until: Timestamp) -> Option<u32>;
        write may_ask(reference: &ReferenceNumber, now: Timestamp, soon: Timestamp) -> bool;
        write end_inquiries(reference: &ReferenceNumber);
        write claim_all(ids: &[DeliveryId], now: Timestamp, lease_until: Timestamp) -> ClaimedMessages;
        write release(ids: &[&str], lease_until: Timestamp);
        write finish_tries(finished: &[Finished<'_>]);
        read list(listing: &Listing) -> ListedPage;
        read load_attempt(reference: &ReferenceNumber) -> Option<Record>;
        read opened_at(session_id: &SessionId, number: i64) -> Option<Timestamp>;
        read inquired_at(session_id: &SessionId, since: Timestamp) -> Vec<Timestamp>;
        read inquiries_of(merchant: &MerchantId, since: Timestamp) -> usize;
        write restore(session_id: &SessionId, entry: &Entry) -> bool;
        read answer(merchant: &MerchantId, operation: &'static str, key: &str) -> Option<StoredAnswer>;
        write delete_answers(before: Timestamp, limit: u32) -> u32;
        read paid_codes(merchant: &MerchantId, customer_id: &str) -> Vec<PgCode>;
        read due_expiries(due: Due<'_>) -> Vec<DueRow<SessionId>>;
        read due_inquiries(due: Due<'_>, urgency: Urgency) -> Vec<DueRow<ReferenceNumber>>;
        write postpone_inquiry(reference: &ReferenceNumber, until: Timestamp);
        read due_deliveries(due: Due<'_>) -> Vec<DueRow<DeliveryId>>;
        write claim(id: &DeliveryId, now: Timestamp, lease_until: Timestamp) -> Option<MessageClaim>;
        write finish_try(id: &DeliveryId, done: &Try, attention: Option<&Attention>);
        read newest_delivery(reference: &ReferenceNumber) -> Option<NewestDelivery>;
        read attention(limit: u32) -> Vec<Attention>;
        read flagged(id: &AttentionId) -> Option<Flagged>;
        write close_attention(id: &AttentionId, closing: Closing<'_>) -> bool;
    }

    async fn attempts(&self, session_id: &SessionId) -> Result<Vec<Attempt>, PortError> {
        self.read(Store::attempts(&self.inner.store, session_id)).await
    }

    async fn commit(&self, change: &Change) -> Result<(), CommitError> {
        let session_id = &change.transaction.session_id;
        let call = async {
            let stored = self.inner.store.commit(change).await;
            self.check_open_attempts(session_id);
            self.weather.note(|| {
                let attempt = change.attempt.as_ref().map(AttemptWrite::attempt);
                let attempt = attempt.map(|attempt| format!("{} {}", attempt.reference, attempt.stage));
                let (number, event) = (change.transaction.version, change.event.as_str());
                format!("{session_id} {number} {event} {}: {stored:?}", attempt.unwrap_or_default())
            });
            stored.map_err(Commit)
        };
        self.write(call).await.map_err(|Commit(error)| error)
    }

    fn statements(&self) -> u32 {
        self.inner.store.statements()
    }
}

impl Http for FaultyWorld {
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        self.pause().await;
        let _flight = Flight::begin(self, &request);
        let answer = self.inner.http.send(request, limit).await;
        self.pause().await;
        answer
    }
}

/// A notification that is being sent; it ends with its sender.
struct Flight<'w>(&'w FaultyWorld, Option<String>);

impl<'w> Flight<'w> {
    fn begin(world: &'w FaultyWorld, request: &Outgoing) -> Self {
        let id = request.headers.iter().find(|(name, _)| *name == "webhook-id").map(|(_, id)| id.clone());
        if let Some(id) = &id {
            let is_alone = world.in_flight.borrow_mut().insert(id.clone());
            world.weather.holds(is_alone, || format!("two send notification {id} at once"));
        }
        Self(world, id)
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        if let Some(id) = &self.1 {
            self.0.in_flight.borrow_mut().remove(id);
        }
    }
}

impl port::World for FaultyWorld {
    checkout_tests::ports_of!(inner);

    type Rng = SeededRng;
    type Http = Self;
    type Directory = Self;
    type Ledger = Self;

    fn scope(&self) -> Scope {
        Scope::default()
    }

    fn rng(&self) -> &SeededRng {
        &self.inner.rng
    }

    fn http(&self) -> &Self {
        self
    }

    fn directory(&self) -> &Self {
        self
    }

    fn ledger(&self, _: &(impl Slotted + ?Sized)) -> &Self {
        self
    }

    fn has_queues(&self) -> bool {
        self.inner.has_queues()
    }

    async fn ring(&self, rings: &[Ring]) -> Result<(), PortError> {
        self.inner.ring(rings).await
    }
}
