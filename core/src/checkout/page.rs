//! The hosted checkout page as data: everything that it shows is decided here and rendered elsewhere.

mod aftermath;
mod amount;
mod asked;
mod clock;
pub(super) mod consent;
mod details;
mod download;
pub(super) mod guidance;
mod last;
mod method;
mod next;
mod notice;
mod onward;
mod scene;
mod status;
mod wallet;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

pub use self::amount::PageAmountField;
pub use self::asked::AskedField;
pub use self::clock::LocalClock;
pub use self::consent::{ConsentLine, ConsentPiece, ConsentText};
pub use self::details::{FieldValue, Items, OrderDetails, PageAddress, PageField};
pub use self::download::PageDownload;
pub use self::guidance::{Contact, ContactChannel, Guidance};
pub use self::last::{LastAttempt, PaidWith};
pub use self::method::{PageMethod, SavedCardFault, SavedCardMethod, prices};
pub use self::next::NextOffer;
pub use self::onward::Onward;
use self::scene::brand_of;
pub(super) use self::scene::clean;
pub use self::scene::{PageScene, SentForm};
pub use self::wallet::WalletButton;
use crate::answer::merchant_link::{MerchantLink, merchant_link, plain_link, redirect_address};
use crate::card::usage::CardUse;
pub use crate::checkout::page::aftermath::{OutcomeAmount, ShownMovement};
pub use crate::checkout::page::status::{USUAL_WAIT, status};
use crate::gateway::profile::Profile;
use crate::payment::receipt;
use crate::payment::routing::accepting;
use crate::settings::brand::Brand;
use crate::state::State;
use crate::strings::screen::{Aftermath, PageStatus, ScreenNotice};
use crate::value::id::SessionId;
use crate::value::money::Money;
use crate::value::time::{Local, Timestamp};
use crate::value::web_address::WebAddress;
use crate::words::Language;
use crate::words::payment_type::PaymentType;

/// How long before its end a page says until when it can be paid.
const LAST_DAY: Duration = Duration::from_hours(24);

/// The page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageView {
    /// There is no transaction with this session id.
    NotFound {
        /// The language of this message.
        language: Language,
    },
    /// A transaction.
    Transaction(Box<TransactionPage>),
}

/// The page of one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one page")]
pub struct TransactionPage {
    /// The language.
    pub language: Language,
    /// The id of the transaction.
    pub session_id: SessionId,
    /// The merchant's name.
    pub merchant: String,
    /// The merchant's face.
    pub brand: Brand,
    /// The origin of the installation.
    pub public_url: String,
    /// The merchant's order number.
    pub order_no: Option<String>,
    /// The amount without fees.
    pub amount: Money,
    /// Where the payer types how much to pay, while they may choose that.
    pub amount_field: Option<PageAmountField>,
    /// What the payment is for; if a card is only saved, no amount is shown.
    pub payment_type: PaymentType,
    /// Which screen is shown.
    pub status: PageStatus,
    /// What went wrong just now, if anything.
    pub notice: Option<ScreenNotice>,
    /// The other way to pay that is offered after a soft decline.
    pub next: Option<NextOffer>,
    /// Whether a gateway of the page is a simulation.
    pub is_test: bool,
    /// The device wallets that may be offered if the payer's device has them, while they can choose.
    pub wallets: Vec<WalletButton>,
    /// The customer's saved cards, while the payer can choose one.
    pub saved: Vec<SavedCardMethod>,
    /// Whether the payer can remove one of them.
    pub can_remove_cards: bool,
    /// The methods, while the payer can choose one.
    pub methods: Vec<PageMethod>,
    /// What the payer is asked because a method must know it.
    pub asked: Vec<AskedField>,
    /// What the payer agrees to by paying, if a card is charged again or saved by it.
    pub consent: Option<ConsentText>,
    /// Whether the payer wanted their card to be saved at their last choice.
    pub saves_card: bool,
    /// The last attempt.
    pub last: Option<LastAttempt>,
    /// Whether there is a signed receipt of the success, which says nothing of what happened to the money later.
    pub has_signed_receipt: bool,
    /// What happened to the money after the payment succeeded, if it moved again, and how much moved.
    pub aftermath: Option<(Aftermath, OutcomeAmount)>,
    /// Every movement of it since then.
    pub movements: Vec<ShownMovement>,
    /// Whether no person is known to have seen the page yet: its script then reports that someone does.
    pub is_unseen: bool,
    /// What else the payer checks before paying; of a success, what a receipt has of it.
    pub details: OrderDetails,
    /// The file that goes with it.
    pub attachment: Option<PageDownload>,
    /// From when the transaction can no longer be paid.
    pub expires_at: Timestamp,
    /// Whether that is less than a day away.
    pub is_last_day: bool,
    /// When payment is due, if the merchant said so.
    pub due_at: Option<Timestamp>,
    /// What clocks at the merchant show at these moments.
    pub clock: LocalClock,
    /// The link with which the payer can go back to the merchant, once they can do nothing here for now.
    pub merchant_link: Option<MerchantLink>,
    /// Whether the page asks if the payer is sent on to the merchant; the merchant's receiver decides.
    pub onward: Option<Onward>,
    /// What helps a payer whose payment did not succeed.
    pub guidance: Guidance,
    /// How often a browser without a script has loaded the page again already.
    pub refreshes: u8,
    /// The origins that the pay form may lead to.
    pub form_targets: Vec<String>,
    /// Where pages of its gateways are, in addition: sources of a content security policy.
    pub page_hosts: Vec<&'static str>,
}

impl TransactionPage {
    /// Every moment that the page may name.
    pub fn moments(&self) -> impl Iterator<Item = Timestamp> {
        let last = self.last.as_ref().map(|last| last.at);
        let moved = self.movements.iter().map(|movement| movement.at);
        [Some(self.expires_at), self.due_at, last].into_iter().flatten().chain(moved)
    }

    /// A moment as clocks at the merchant show it.
    #[must_use]
    pub fn local(&self, at: Timestamp) -> Local {
        self.clock.show(at)
    }

    /// Whether the payer types something.
    #[must_use]
    pub const fn has_fields(&self) -> bool {
        self.amount_field.is_some() || !self.asked.is_empty()
    }

    /// Whether there is something to pay, rather than only a card to save.
    #[must_use]
    pub const fn is_paid(&self) -> bool {
        match self.payment_type {
            PaymentType::OneOff | PaymentType::AutoDebit => true,
            PaymentType::SaveCard => false,
        }
    }
}

/// The page of a transaction.
#[must_use]
pub fn page(scene: PageScene<'_>) -> TransactionPage {
    let PageScene { transaction, latest, situation, .. } = scene;
    let (settings, now) = (&situation.settings, situation.now);
    let language = scene.language.unwrap_or(transaction.details.language());
    let status = status(transaction, latest, now).at(settings);
    let (amount_field, principal) = PageAmountField::of(&scene);
    let (saved, methods) = if status.can_pay() {
        method::choices(&scene, principal, language)
    } else {
        (Vec::new(), Vec::new())
    };
    let notice = notice::notice(&scene, status);
    let is_editable = amount_field.is_some();
    let merchant_link = way_back(&scene, status);
    let movements = scene.books.map(ShownMovement::of).unwrap_or_default();
    TransactionPage {
        refreshes: 0,
        guidance: Guidance::of(&scene, status),
        onward: merchant_link.is_some().then(|| Onward::of(&scene, status)).flatten(),
        merchant_link,
        language,
        session_id: transaction.session_id.clone(),
        merchant: clean(settings.name.text(language)),
        brand: brand_of(transaction, settings),
        public_url: scene.public_url.into(),
        order_no: transaction.details.order_no.as_deref().map(clean),
        amount: transaction.amount,
        amount_field: amount_field.filter(|_| status.can_pay()),
        payment_type: transaction.details.payment_type,
        status,
        notice,
        next: NextOffer::of(&scene, notice, (principal, is_editable), language),
        is_test: settings.has_test_gateway(&transaction.pg_codes),
        wallets: if status.can_pay() { wallet::wallets(&scene, principal, language) } else { Vec::new() },
        asked: AskedField::of(&scene, &methods),
        saved,
        can_remove_cards: !transaction.details.withholds_cards,
        methods,
        consent: ConsentText::of(transaction, settings, language).filter(|_| status.can_pay()),
        saves_card: match scene.sent {
            Some(sent) => sent.form.saves_card,
            None => latest.is_some_and(|attempt| attempt.card == CardUse::Save),
        },
        aftermath: aftermath_of(&scene, &movements),
        movements,
        is_unseen: transaction.state == State::Created,
        last: scene.counting().map(|attempt| LastAttempt::of(attempt, settings, language)),
        has_signed_receipt: status.is_success() && receipt::is_final(transaction.state),
        details: details_of(&scene, status, language),
        attachment: PageDownload::of(transaction, status, scene.public_url),
        expires_at: transaction.expires_at,
        is_last_day: transaction.expires_at.since(now) < LAST_DAY,
        due_at: transaction.details.due_datetime,
        clock: LocalClock::default(),
        form_targets: form_targets(scene),
        page_hosts: page_hosts(scene),
    }
}

/// What the page shows of the order.
fn details_of(scene: &PageScene<'_>, status: PageStatus, language: Language) -> OrderDetails {
    if status.can_pay() {
        OrderDetails::of(scene, language)
    } else if status.is_success() {
        OrderDetails::of_receipt(scene, language)
    } else {
        OrderDetails::default()
    }
}

fn aftermath_of(scene: &PageScene<'_>, movements: &[ShownMovement]) -> Option<(Aftermath, OutcomeAmount)> {
    let books = scene.books?;
    let settled = books.settled.as_ref();
    let profile = settled.and_then(|attempt| scene.situation.settings.gateway(&attempt.pg_code));
    Aftermath::of(books, movements, profile.is_some_and(Profile::captures_once))
}

/// The link back to the merchant. Who waits for seconds stays.
fn way_back(scene: &PageScene<'_>, status: PageStatus) -> Option<MerchantLink> {
    match status {
        PageStatus::Pending | PageStatus::Payable | PageStatus::Declined => None,
        PageStatus::Late | PageStatus::Held | PageStatus::Paused => {
            plain_link(scene.transaction, scene.reach)
        }
        PageStatus::Paid
        | PageStatus::Authorized
        | PageStatus::CashOnDelivery
        | PageStatus::Failed
        | PageStatus::Expired
        | PageStatus::Canceled
        | PageStatus::Invalid => merchant_link(scene.transaction, scene.counting(), scene.reach),
    }
}

/// The origins to which the answer to the pay form may redirect: the gateways' pages and the merchant.
fn form_targets(scene: PageScene<'_>) -> Vec<String> {
    let mut targets: Vec<String> = accepting(scene.transaction, &scene.situation.settings)
        .filter_map(|(profile, _)| profile.endpoint.as_deref())
        .filter_map(|endpoint| WebAddress::parse(endpoint, scene.reach).ok())
        .map(|address| address.origin().into())
        .collect();
    targets.extend(redirect_address(scene.transaction, scene.reach).map(|address| address.origin().into()));
    targets.sort();
    targets.dedup();
    targets.retain(|origin| origin != scene.public_url);
    targets
}

/// Where the pages of the gateways are that have other hosts than their API.
fn page_hosts(scene: PageScene<'_>) -> Vec<&'static str> {
    let accepting = accepting(scene.transaction, &scene.situation.settings);
    let mut hosts: Vec<&str> =
        accepting.flat_map(|(profile, _)| profile.capabilities().page_hosts).copied().collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}
