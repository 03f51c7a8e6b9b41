//! What the module remembers between two events.

use checkout_core::strings::screen::{PageStatus, ScreenNotice};
use checkout_core::strings::{HeadedText, Strings};
use checkout_core::value::choice::ChoiceError;
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::words::Language;
use checkout_core::words::Wallet;
use checkout_core::words::payment_type::PaymentType;

use crate::follow::pause;
use crate::page::amount::Amount;
use crate::page::effect::Effect;
use crate::page::options::{Method, Offered, Options};
use crate::wallet::Order;

/// The end of the time to pay is awaited only when it is at most a day away: browsers' timers reach no month.
const LONGEST_WAIT: i32 = 86_400_000;
/// The end is asked about a little late, in milliseconds, so that it has come on the server's clock too.
const CLOCKS_DIFFER: i32 = 3_000;

/// The page as the payer left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The language.
    pub language: Language,
    /// The transaction.
    pub session_id: SessionId,
    /// What the payment is for.
    pub payment_type: PaymentType,
    /// The screen that the server rendered.
    pub status: PageStatus,
    /// When money last moved after the payment, as the page shows it.
    pub moved_at: Option<String>,
    /// What is going on.
    pub phase: Phase,
    /// What is to be paid, as the page shows it.
    pub price: Option<String>,
    /// What the page shows that each method costs, as its form says it.
    pub prices: Vec<String>,
    /// The methods.
    pub methods: Vec<Method>,
    /// The wallets.
    pub wallets: Vec<Offered>,
    /// The amount field, if there is one.
    pub amount: Option<Amount>,
    /// The code of the chosen method.
    pub chosen: Option<PgCode>,
    /// Whether the payer wants the card to be saved.
    pub saves_card: bool,
    /// Which text the payer agrees to.
    pub consent: Option<String>,
    /// The banner over the methods.
    pub banner: Banner,
    /// Whether the last question after the payment was answered.
    pub is_connected: bool,
}

/// What is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The payer chooses.
    Choosing,
    /// The payment is being opened.
    Paying,
    /// The browser is on its way to another page.
    Leaving,
    /// The page asks for the outcome.
    Waiting {
        /// How often it asked.
        asked: u32,
        /// After how many questions it stops, if it does.
        most: Option<u32>,
    },
    /// Nothing more happens here.
    Resting,
}

/// What the server says about the payment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusAnswer {
    /// The screen to show, a word of [`PageStatus`].
    pub status: String,
    /// What is to be paid, while that is so: the currency and the amount.
    pub price: Option<String>,
    /// What each method costs then, as the form of the page says it.
    pub prices: Vec<String>,
    /// When money last moved after the payment, if it did.
    pub moved_at: Option<String>,
    /// Where the browser goes, once the merchant answered the notification with 200.
    pub redirect_url: Option<String>,
}

/// The banner over the methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Banner {
    /// What the server rendered, which may be nothing.
    Served,
    /// Nothing.
    Hidden,
    /// Something that went wrong in this browser.
    Shown(Alert),
}

/// What went wrong in this browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alert {
    /// The server refused.
    Refused(ScreenNotice),
    /// The server was not reached, or its answer did not arrive.
    Offline,
    /// The server answered, but not what became of the payment.
    NoAnswer,
}

impl Alert {
    /// The words of the alert.
    #[must_use]
    pub const fn message(self, language: Language, payment_type: PaymentType) -> HeadedText {
        let strings = Strings::of(language);
        match self {
            Self::Refused(notice) => strings.notice(notice, payment_type),
            Self::Offline => strings.notice.offline,
            Self::NoAnswer => strings.notice.no_answer,
        }
    }
}

impl Alert {
    /// Whether it is no alarm.
    #[must_use]
    pub const fn is_calm(self) -> bool {
        match self {
            Self::Refused(notice) => notice.is_calm(),
            Self::Offline | Self::NoAnswer => false,
        }
    }
}

impl Model {
    /// The model of a page that was just rendered, and what to do first.
    #[must_use]
    pub fn open(options: Options) -> (Self, Vec<Effect>) {
        let phase = match options.status {
            PageStatus::Payable | PageStatus::Declined => Phase::Choosing,
            PageStatus::Pending | PageStatus::Late | PageStatus::Held | PageStatus::Paused => {
                Phase::Waiting { asked: 0, most: None }
            }
            PageStatus::Paid
            | PageStatus::Authorized
            | PageStatus::CashOnDelivery
            | PageStatus::Failed
            | PageStatus::Expired
            | PageStatus::Canceled
            | PageStatus::Invalid => {
                if options.asks == 0 {
                    Phase::Resting
                } else {
                    Phase::Waiting { asked: 0, most: Some(options.asks) }
                }
            }
        };
        let effects = match phase {
            Phase::Choosing => options
                .remaining
                .filter(|remaining| (0..=LONGEST_WAIT).contains(remaining))
                .map(|remaining| Effect::AskAfter { milliseconds: remaining.saturating_add(CLOCKS_DIFFER) })
                .into_iter()
                .chain([Effect::LookLater])
                .collect(),
            Phase::Waiting { asked, .. } => vec![Effect::AskAfter { milliseconds: pause(asked) }],
            Phase::Paying | Phase::Leaving | Phase::Resting => Vec::new(),
        };
        let model = Self {
            language: options.language,
            session_id: options.session_id,
            payment_type: options.payment_type,
            status: options.status,
            moved_at: options.moved_at,
            phase,
            price: options.price,
            prices: options.prices,
            methods: options.methods,
            wallets: options.wallets,
            amount: options.amount,
            chosen: options.chosen,
            saves_card: options.saves_card,
            consent: options.consent,
            banner: Banner::Served,
            is_connected: true,
        };
        (model, effects)
    }

    /// The chosen method.
    #[must_use]
    pub fn chosen_method(&self) -> Option<&Method> {
        let code = self.chosen.as_ref()?;
        self.methods.iter().find(|method| method.code == *code)
    }

    /// A wallet that is offered.
    #[must_use]
    pub fn offered(&self, wallet: Wallet) -> Option<&Offered> {
        self.wallets.iter().find(|offered| offered.wallet == wallet)
    }

    /// What the sheet of a wallet is opened for; `None` if there is no amount, or the sheet cannot show what it costs.
    #[must_use]
    pub fn order(&self, wallet: Wallet) -> Option<Order> {
        let offered = self.offered(wallet)?;
        let typed = match &self.amount {
            Some(amount) => Some(amount.read().ok()?),
            None => None,
        };
        let quote = offered.terms.quote(typed.unwrap_or(offered.principal))?;
        Order::of(wallet, self.session_id.clone(), offered.code.clone(), &quote, typed)
    }

    /// What is wrong with the amount in the field, or `None`: with the amount itself, or for the chosen
    /// method.
    #[must_use]
    pub fn amount_error(&self) -> Option<ChoiceError> {
        match (self.amount.as_ref()?.read(), self.chosen_method()) {
            (Err(error), _) => Some(error),
            (Ok(amount), Some(method)) => method.fault(amount),
            (Ok(_), None) => None,
        }
    }

    /// The total that is announced: the payer left the field with another amount in it.
    #[must_use]
    pub fn shown_total(&self) -> Option<String> {
        let amount =
            self.amount.as_ref().filter(|amount| amount.is_shown() && self.phase == Phase::Choosing)?;
        let quote = self.chosen_method()?.quote(amount.read().ok()?)?;
        Some(Strings::of(self.language).price(quote.total))
    }

    /// Whether the page shows another price than the server says: for the whole, or for a method that is on the page.
    #[must_use]
    pub fn is_repriced(&self, answer: &StatusAnswer) -> bool {
        let is_other = |now: &String| {
            let shown = self.prices.iter().find(|shown| code_of(shown) == code_of(now));
            shown.is_some_and(|shown| shown != now)
        };
        answer.price.as_ref().is_some_and(|now| self.price.as_ref() != Some(now))
            || answer.prices.iter().any(is_other)
    }

    /// Whether the payer must wait before they can do anything.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        matches!(self.phase, Phase::Paying | Phase::Leaving)
    }
}

/// The method whose price a field of the form says.
fn code_of(field: &str) -> Option<&str> {
    field.split(' ').next()
}
