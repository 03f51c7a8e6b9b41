//! The data that the page hands to the module when it starts, checked (`data` reads it).

use checkout_core::gateway::terms::Terms;
use checkout_core::strings::screen::PageStatus;
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::value::money::Money;
use checkout_core::words::payment_type::PaymentType;
use checkout_core::words::{Language, Wallet};

use crate::page::amount::Amount;

/// The page as the server rendered it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The language of the page.
    pub language: Language,
    /// The transaction.
    pub session_id: SessionId,
    /// What the payment is for.
    pub payment_type: PaymentType,
    /// The screen.
    pub status: PageStatus,
    /// Where to ask for the state of the payment.
    pub status_url: String,
    /// When money last moved after the payment, as the page shows it.
    pub moved_at: Option<String>,
    /// Where the pay form goes; none if nothing can be chosen.
    pub pay_url: Option<String>,
    /// How often the page of an ended transaction asks whether to redirect the payer to the merchant.
    pub asks: u32,
    /// For how many milliseconds the transaction can still be paid, by the browser's clock.
    pub remaining: Option<i32>,
    /// Whether the checkbox that saves the card is ticked.
    pub saves_card: bool,
    /// Which text the payer agrees to.
    pub consent: Option<String>,
    /// The method that is chosen; the browser may have kept an earlier choice after a reload.
    pub chosen: Option<PgCode>,
    /// The amount field, if there is one.
    pub amount: Option<Amount>,
    /// What is to be paid, as the page shows it: the currency and the amount.
    pub price: Option<String>,
    /// What the page shows that each method costs, as its form says it.
    pub prices: Vec<String>,
    /// The methods.
    pub methods: Vec<Method>,
    /// The wallets.
    pub wallets: Vec<Offered>,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// Its code.
    pub code: PgCode,
    /// Which of the faces that the server rendered is shown while it is chosen; none for a wallet, which is not
    /// chosen but pressed.
    pub face: Option<u32>,
    /// How it charges other amounts, if the payer may choose one.
    pub terms: Option<Terms>,
}

/// A wallet that the page offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// Which.
    pub wallet: Wallet,
    /// The code of its gateway.
    pub code: PgCode,
    /// How its gateway charges.
    pub terms: Terms,
    /// What is paid, unless the payer may choose.
    pub principal: Money,
    /// Where its token goes.
    pub pay_url: String,
    /// Where the merchant session of its sheet is asked for; empty if it has none.
    pub session_url: String,
}
