//! The demo merchant of a development installation: which merchant it is, its newest transactions, and transactions that are
//! made for it without a key.
//!
//! Decision: only a merchant whose gateways are all simulated is a demo merchant, so that nothing made here moves money.

use checkout_core::access::key::KeyKind;
use checkout_core::access::{Caller, Rights};
use checkout_core::flow::Failure;
use checkout_core::flow::merchant::create::{self, CreateInput};
use checkout_core::gateway::profile::Profile;
use checkout_core::port::{Clock, PortError, Registry, Rng, Store, World};
use checkout_core::rejection::Rejection;
use checkout_core::settings::MerchantSettings;
use checkout_core::settings::situation::Situation;
use checkout_core::state::State;
use checkout_core::transaction::Transaction;
use checkout_core::transaction::listing::{Listed, Listing};
use checkout_core::value::id::{MerchantId, SessionId};
use checkout_core::value::json::write;
use checkout_core::value::time::Timestamp;
use checkout_core::value::web_address::WebAddress;
use checkout_core::wire::json;
use checkout_core::wire::members::Members;
use checkout_core::words::{Language, Operation};
use serde::Serialize;

use crate::edge::Edge;

/// The id of the first demo merchant; those made later have a number after it.
const NAME: &str = "demo";
/// The most demo merchants that are looked at.
const MAX_MERCHANTS: u32 = 20;
/// How many transactions are shown.
const SHOWN: u32 = 10;
/// The path of the inboxes of the sandbox, and of the shop to which payers return.
const INBOX: &str = "/sandbox/inbox/";
const SHOP: &str = "/sandbox/shop/";

/// What is to be tried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// An order of a fixed amount.
    #[default]
    Order,
    /// A request for payment, of which the payer chooses how much they pay.
    OpenAmount,
    /// A card is saved, and nothing is paid.
    SaveCard,
}

impl Kind {
    /// The kind that a word of a form names.
    #[must_use]
    pub(super) fn parse(word: &str) -> Option<Self> {
        match word {
            "order" => Some(Self::Order),
            "open_amount" => Some(Self::OpenAmount),
            "save_card" => Some(Self::SaveCard),
            _ => None,
        }
    }
}

/// A transaction to be made.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedPage<'a> {
    /// What is to be tried.
    pub(super) kind: Kind,
    /// How much, as written.
    pub(super) amount: &'a str,
    /// The code of the only method; without it, all that fit.
    pub(super) method: Option<&'a str>,
    /// The language of the page.
    pub(super) language: Language,
}

/// A transaction as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DemoTransaction {
    /// Its id.
    pub(super) session_id: SessionId,
    /// Its state now.
    pub(super) state: State,
    /// The amount, for a reader.
    pub(super) amount: String,
    /// The order number.
    pub(super) order_no: Option<String>,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// The path of its inbox, if its webhooks go to one of this installation.
    pub(super) inbox: Option<String>,
}

/// The newest demo merchant; `None` if there is none whose gateways are all simulated.
///
/// # Errors
/// If the store fails.
pub(super) async fn find(edge: &Edge) -> Result<Option<Situation>, PortError> {
    let mut newest = None;
    for number in 1..=MAX_MERCHANTS {
        let name = if number == 1 { NAME.to_string() } else { format!("{NAME}-{number}") };
        let Some(id) = MerchantId::parse(&name) else { break };
        let Some(found) = edge.directory().merchant(&id).await? else { break };
        if found.settings.gateways.iter().all(is_simulated) {
            newest = Some(found.at(edge.clock().now()));
        }
    }
    Ok(newest)
}

/// Whether a gateway is the simulated bank of this installation, or none at all, which is cash.
fn is_simulated(gateway: &Profile) -> bool {
    let calls_nobody = gateway.is_cash() || gateway.connector.declaration().capabilities.is_simulated;
    gateway.sandbox && gateway.endpoint.is_none() && calls_nobody
}

/// The methods that a transaction of a kind can offer: those that charge at once, or that save cards.
#[must_use]
pub(super) fn methods(settings: &MerchantSettings, kind: Kind) -> Vec<&Profile> {
    let currency = settings.currencies.first();
    let fits = |gateway: &&Profile| {
        currency.is_none_or(|currency| gateway.currencies.contains(currency))
            && match kind {
                Kind::Order | Kind::OpenAmount => gateway.operation == Operation::Purchase,
                Kind::SaveCard => gateway.tokenization,
            }
    };
    settings.gateways.iter().filter(fits).collect()
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "type")]
    plugin: &'a str,
    payment_type: &'a str,
    amount: &'a str,
    currency_code: &'a str,
    pg_codes: Vec<&'a str>,
    language: &'a str,
    order_no: String,
    customer_id: &'a str,
    customer_first_name: &'a str,
    customer_last_name: &'a str,
    customer_email: &'a str,
    webhook_url: String,
    redirect_url: String,
}

/// Makes a transaction for a demo merchant, as its server would:
///
/// 1. choose methods, a new inbox and an order number;
/// 2. create it by the same rules as every request.
///
/// # Errors
/// The rejection, or a failure of the world.
pub(super) async fn make(
    edge: &Edge,
    situation: Situation,
    wanted: WantedPage<'_>,
) -> Result<SessionId, Failure> {
    // 1
    let mut random = [0; 8];
    edge.rng().fill(&mut random)?;
    let name = hex::encode(random);
    let public_url = &edge.installation().public_url;
    let offered = methods(&situation.settings, wanted.kind);
    let pg_codes = match wanted.method {
        Some(code) => Vec::from([code]),
        None => offered.iter().map(|gateway| gateway.code.as_str()).collect(),
    };
    let is_card = wanted.kind == Kind::SaveCard;
    let body = Body {
        plugin: if wanted.kind == Kind::OpenAmount { "payment_request" } else { "e_commerce" },
        payment_type: if is_card { "save_card" } else { "one_off" },
        amount: if is_card { "0" } else { wanted.amount },
        currency_code: situation.settings.currencies.first().map_or("KWD", |currency| currency.code()),
        pg_codes,
        language: wanted.language.as_str(),
        order_no: format!("DEMO-{}", name.get(..6).unwrap_or_default().to_uppercase()),
        customer_id: "demo-customer",
        customer_first_name: "Noura",
        customer_last_name: "Al-Sabah",
        customer_email: "noura@example.com",
        webhook_url: format!("{public_url}{INBOX}{name}/"),
        redirect_url: format!("{public_url}{SHOP}"),
    };
    let body = write(&body)?;
    // 2
    let caller =
        Caller { rights: Rights::Key(KeyKind::Private, None), prefix: None, is_basic: false, situation };
    let input = CreateInput { caller, idempotency_key: None, body: body.as_bytes(), file: None, wrong: &[] };
    let made = create::create(edge, input).await?;
    let members = Members::read(made.body.as_bytes())?;
    let session_id = members.get("session_id").and_then(json::text_of);
    let session_id = session_id.as_deref().and_then(SessionId::parse);
    Ok(session_id.ok_or(Rejection::NotFound)?)
}

/// The newest transactions of a demo merchant.
///
/// # Errors
/// If the store fails.
pub(super) async fn newest(edge: &Edge, situation: &Situation) -> Result<Vec<DemoTransaction>, PortError> {
    let now = situation.now;
    let listing = Listing::of(&situation.settings.merchant, now, SHOWN);
    let listed = edge.ledger(&listing).list(&listing).await?.listed;
    let public_url = &edge.installation().public_url;
    let show = |Listed { transaction, has_open_attempt, .. }: &Listed| {
        shown(transaction, transaction.state_at(now, *has_open_attempt), public_url)
    };
    Ok(listed.iter().map(show).collect())
}

/// One transaction of a demo merchant; `None` if it has no such transaction.
///
/// # Errors
/// If the store fails.
pub(super) async fn one(
    edge: &Edge,
    situation: &Situation,
    session_id: &SessionId,
) -> Result<Option<DemoTransaction>, PortError> {
    let record = edge.ledger(session_id).load(session_id).await?;
    let record = record.filter(|record| record.transaction.merchant == situation.settings.merchant);
    Ok(record.map(|record| {
        let state = record.transaction.state_at(situation.now, record.has_open_attempt());
        shown(&record.transaction, state, &edge.installation().public_url)
    }))
}

fn shown(transaction: &Transaction, state: State, public_url: &str) -> DemoTransaction {
    let details = &transaction.details;
    let of_inbox = |url: &WebAddress| url.as_str().strip_prefix(public_url).map(String::from);
    let inbox = details.webhook_url.as_ref().and_then(of_inbox).filter(|path| path.starts_with(INBOX));
    DemoTransaction {
        session_id: transaction.session_id.clone(),
        state,
        amount: format!("{} {}", transaction.amount.currency().code(), transaction.amount),
        order_no: details.order_no.clone(),
        created_at: transaction.created_at,
        inbox,
    }
}
