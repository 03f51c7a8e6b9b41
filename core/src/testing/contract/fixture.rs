//! Fresh rows for one check: names that no other check uses, and the parts of a change.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::{format, vec};
use core::time::Duration;

use super::Problem;
use crate::access::key::{ApiKey, KeyKind};
use crate::access::operator::ROOT;
use crate::attempt::Attempt;
use crate::attempt::stage::Stage;
use crate::card::usage::CardUse;
use crate::change::{AttemptWrite, Change, EventKind};
use crate::gateway::charge::PgParams;
use crate::gateway::instrument::FormOfPayment;
use crate::gateway::terms::Quote;
use crate::port::{Closing, LogPage, NewDocument, NewKey, NewMerchant, PortError, Registry};
use crate::record::attention::{Attention, Reason};
use crate::record::audit::Entry;
use crate::record::idempotency::StoredAnswer;
use crate::record::outbox::{Message, MessageKind, Recipient, Subject};
use crate::settings::{MerchantSettings, WebhookSecrets, parse};
use crate::state::{Event, State};
use crate::testing::rng::SeededRng;
use crate::testing::world::BEGINNING;
use crate::transaction::{Details, Transaction};
use crate::value::id::{DeliveryId, MerchantId, PgCode, ReferenceNumber, SessionId};
use crate::value::money::{Currency, Money};
use crate::value::sealed::Sealed;
use crate::value::slot::Slot;
use crate::value::time::Timestamp;
use crate::words::{Operation, Plugin};

/// A settings document whose payer reads `NAME`.
const DOCUMENT: &str = r#"{"name":{"en":"NAME","ar":"متجر"},"country":"KW","reference_prefix":"",
"currencies":["KWD"],"plugins":{"e_commerce":{"webhook_url":null,"expiration_time":"1 00:00:00"}},
"gateways":[{"code":"knet","name":{"en":"KNET","ar":"كي نت"},"connector":"sandbox","pg_name":"kpay",
"operation":"purchase","currencies":["KWD"],"fees":[],"sandbox":true,"multiple_attempts":true,
"inquiry_after_minutes":8,"tokenization":false,"auto_debit":false,"wallets":[],
"credentials":{"api_key":"sealed"},"endpoint":null}]}"#;

/// The data of one check.
pub(super) struct Fixture {
    rng: SeededRng,
    /// The merchant of the check.
    pub(super) merchant: MerchantId,
    /// A moment of this check; every check has a separate hour.
    pub(super) now: Timestamp,
    currency: Currency,
    gateway: PgCode,
}

impl Fixture {
    /// The data of the check at `place` in the list, with its merchant stored.
    pub(super) async fn prepare(store: &impl Registry, seed: u64, place: u64) -> Result<Self, Problem> {
        let fixture = Self::new(seed, place)?;
        store.add_merchant(&fixture.new_merchant(&[])?, &fixture.entry("add_merchant").making(1)).await?;
        Ok(fixture)
    }

    /// Data whose merchant is not stored yet, at the same time.
    pub(super) fn another(&self) -> Result<Self, Problem> {
        Ok(Self { now: self.now, ..Self::new(self.rng.next(), 0)? })
    }

    fn new(seed: u64, place: u64) -> Result<Self, Problem> {
        let rng = SeededRng::new(seed.wrapping_mul(1_000).wrapping_add(place));
        let merchant = MerchantId::parse(&format!("m-{:016x}", rng.next())).ok_or("no merchant id")?;
        Ok(Self {
            rng,
            merchant,
            now: BEGINNING.plus(Duration::from_secs(place.saturating_mul(3_600))),
            currency: Currency::parse("KWD").ok_or("no currency")?,
            gateway: PgCode::parse("knet").ok_or("no gateway code")?,
        })
    }

    /// The moment that many seconds after the check's.
    pub(super) fn after(&self, seconds: u64) -> Timestamp {
        self.now.plus(Duration::from_secs(seconds))
    }

    /// The first page of everything of the check's merchant.
    pub(super) fn log_page(&self) -> LogPage {
        LogPage {
            merchant: self.merchant.clone(),
            session_id: None,
            order_no: None,
            since: None,
            until: None,
            after: None,
            limit: 100,
        }
    }

    /// An amount in minor units.
    pub(super) fn money(&self, minor: i64) -> Result<Money, Problem> {
        Money::new(minor, self.currency).map_err(|_| "no amount".into())
    }

    /// A session id that nobody has.
    pub(super) fn session_id(&self) -> SessionId {
        let mut random = [0; 19];
        self.fill(&mut random);
        SessionId::generate(0, random)
    }

    /// A reference number that nobody has.
    pub(super) fn reference(&self) -> ReferenceNumber {
        ReferenceNumber::generate("", Slot::FIRST, self.rng.next().to_be_bytes())
    }

    /// A transaction that is not stored, payable for an hour.
    pub(super) fn transaction(&self) -> Result<Transaction, Problem> {
        Ok(Transaction {
            session_id: self.session_id(),
            merchant: self.merchant.clone(),
            version: 0,
            state: State::Created,
            moved_at: self.now,
            plugin: Plugin::ECommerce,
            operation: Operation::Purchase,
            amount: self.money(10_250)?,
            pg_codes: vec![self.gateway.clone()],
            created_at: self.now,
            expires_at: self.after(3_600),
            settlement: None,
            shown: None,
            details: Details::default(),
        })
    }

    /// The change that makes a transaction.
    pub(super) fn created(&self, transaction: Transaction) -> Change {
        Change::of(transaction, EventKind::Created, self.now)
    }

    /// A change that moves a transaction to `state`.
    pub(super) fn moved(&self, transaction: &Transaction, event: Event, state: State) -> Change {
        Change::of(Transaction { state, ..transaction.clone() }, EventKind::Moved(event), self.now)
    }

    /// A change that moves nothing.
    pub(super) fn noted(&self, transaction: &Transaction) -> Change {
        Change::of(transaction.clone(), EventKind::AttemptNoted, self.now)
    }

    /// The change that opens an attempt.
    pub(super) fn opened(&self, transaction: &Transaction, attempt: Attempt) -> Change {
        self.moved(transaction, Event::AttemptOpened, State::Pending)
            .with_attempt(AttemptWrite::Open(attempt))
    }

    /// A new attempt of a transaction.
    pub(super) fn attempt(&self, transaction: &Transaction, number: i64) -> Result<Attempt, Problem> {
        Ok(Attempt {
            reference: self.reference(),
            session_id: transaction.session_id.clone(),
            merchant: transaction.merchant.clone(),
            number,
            pg_code: self.gateway.clone(),
            pg_name: "kpay".into(),
            operation: transaction.operation.into(),
            form_of_payment: FormOfPayment::ApplePay,
            is_sandbox: true,
            permits_retry: true,
            card: CardUse::Nothing,
            stage: Stage::Sending,
            principal: transaction.amount,
            quote: Quote {
                amount: transaction.amount,
                fee: self.money(0)?,
                total: transaction.amount,
                rate: None,
            },
            opened_at: self.now,
            updated_at: self.now,
            known_at: self.now,
            inquire_at: Some(self.after(60)),
            inquiries: 0,
            unknown_since: None,
            page_url: None,
            gateway_id: None,
            message: None,
            params: PgParams::new(),
            response: None,
        })
    }

    /// A message that `change` causes about an attempt, due at once.
    pub(super) fn message(&self, change: &Change, reference: &ReferenceNumber) -> Message {
        let session_id = &change.transaction.session_id;
        Message {
            id: DeliveryId::new(session_id, change.transaction.version),
            merchant: self.merchant.clone(),
            kind: MessageKind::PaymentWebhook,
            subject: Subject { session_id: Some(session_id.clone()), reference: reference.clone() },
            recipient: Recipient::Receiver("https://shop.example.com:8443/hook?a=1".into()),
            body: r#"{"result":"success","name":"نور"}"#.into(),
            due_at: self.now,
        }
    }

    /// What closes an entry of the attention list.
    pub(super) fn closing(&self, how: &'static str) -> Closing<'static> {
        Closing { how, note: None, at: self.now, entry: None }
    }

    /// An entry of the attention list.
    pub(super) fn attention(&self, attempt: &Attempt, reason: Reason) -> Attention {
        Attention {
            merchant: self.merchant.clone(),
            session_id: Some(attempt.session_id.clone()),
            reference: attempt.reference.clone(),
            reason,
            detail: "asked for 10.250 KWD, the gateway names 1.000 KWD".into(),
            at: self.now,
        }
    }

    /// An answer under an idempotency key.
    pub(super) fn answer(&self, operation: &'static str, key: &str) -> StoredAnswer {
        StoredAnswer {
            merchant: self.merchant.clone(),
            operation,
            key: key.into(),
            fingerprint: "0".repeat(64),
            status: 201,
            body: r#"{"session_id":"…"}"#.into(),
            at: self.now,
        }
    }

    fn settings(&self, document: &str) -> Result<MerchantSettings, Problem> {
        let secrets = WebhookSecrets {
            hmac_key: Sealed("hmac".into()),
            signing: vec![Sealed("new".into()), Sealed("old".into())],
            previous_until: None,
            next_hmac: None,
        };
        parse::stored(&self.merchant, 1, document, secrets)
            .map_err(|found| Problem(format!("the settings of the check are wrong: {found:?}")))
    }

    /// A key of the check's merchant, generated for this call.
    pub(super) fn key(&self, kind: KeyKind) -> ApiKey {
        match kind {
            KeyKind::Private => ApiKey::generate_private(Slot::FIRST, &mut |bytes| self.fill(bytes)),
            KeyKind::Public => ApiKey::generate_public(Slot::FIRST, &mut |bytes| self.fill(bytes)),
        }
    }

    /// A private key with the prefix of another one.
    pub(super) fn of_same_prefix(&self, key: &ApiKey) -> ApiKey {
        // A byte below 62 is the letter at its place: digits, upper case, lower case.
        let letters = (b'0'..=b'9').chain(b'A'..=b'Z').chain(b'a'..=b'z');
        let place =
            |letter: u8| (0..62).zip(letters.clone()).find(|(_, one)| *one == letter).map(|(at, _)| at);
        let mut places = key.prefix().bytes().skip(4).filter_map(place);
        ApiKey::generate_private(Slot::FIRST, &mut |bytes| {
            self.fill(bytes);
            bytes.iter_mut().zip(&mut places).for_each(|(byte, place)| *byte = place);
        })
    }

    /// Random bytes.
    pub(super) fn random<const N: usize>(&self) -> [u8; N] {
        let mut random = [0; N];
        self.fill(&mut random);
        random
    }

    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let [first, ..] = self.rng.next().to_le_bytes();
            *byte = first;
        }
    }

    /// The row of a key.
    pub(super) fn key_row(&self, key: &ApiKey, at: Timestamp) -> NewKey {
        let last4 = key.text().get(key.text().len().saturating_sub(4)..).unwrap_or_default().to_owned();
        NewKey {
            merchant: self.merchant.clone(),
            kind: key.kind(),
            prefix: key.prefix().into(),
            hash: hex::encode(key.hash()),
            last4,
            name: None,
            scope: None,
            at,
            expires_at: None,
        }
    }

    /// An entry of the audit by an operator, about the check's merchant.
    pub(super) fn entry(&self, action: &'static str) -> Entry {
        Entry::of(ROOT.actor(), action, self.now).about(&self.merchant).on(&self.merchant)
    }

    /// Replaces the document of a version of the check's merchant; whether it was replaced.
    pub(super) async fn replace(
        &self,
        store: &impl Registry,
        version: i64,
        document: &str,
    ) -> Result<bool, PortError> {
        let new = NewDocument { merchant: &self.merchant, version, document };
        let entry = self.entry("replace_settings").making(version.saturating_add(1));
        store.replace_document(&new, &entry).await
    }

    /// The rows of the check's merchant, with `keys`.
    pub(super) fn new_merchant(&self, keys: &[&ApiKey]) -> Result<NewMerchant, Problem> {
        let document = document("Demo Store");
        Ok(NewMerchant {
            settings: self.settings(&document)?,
            document,
            keys: keys.iter().map(|key| self.key_row(key, self.now)).collect(),
            at: self.now,
        })
    }
}

/// A settings document whose payer reads `name`.
pub(super) fn document(name: &str) -> String {
    DOCUMENT.replace("NAME", name)
}
