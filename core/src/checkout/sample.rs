//! The page of every screen from made-up data, without a transaction: for a preview of a merchant's face, and
//! for a gallery.

mod frame;
mod methods;
mod screens;

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

pub use self::frame::Sample;
use self::frame::{AT, OPEN_UNTIL};
pub use self::screens::SCREEN_NAMES;
pub use self::screens::{Screen, screens};
use crate::answer::merchant_link::MerchantLink;
use crate::checkout::page::consent::{ConsentBasis, Way};
use crate::checkout::page::guidance::Wanted;
use crate::checkout::page::{
    ConsentText, Guidance, LastAttempt, LocalClock, OrderDetails, TransactionPage, clean,
};
use crate::gateway::mark::Mark;
use crate::gateway::terms::Quote;
use crate::settings::MerchantSettings;
use crate::settings::brand::Brand;
use crate::strings::Strings;
use crate::strings::screen::PageStatus;
use crate::transaction::agreement::Agreement;
use crate::value::id::SessionId;
use crate::value::money::{Currency, Money};
use crate::words::Language;
use crate::words::payment_type::PaymentType;

impl Sample {
    /// The page of a shop that does not exist.
    #[must_use]
    pub fn demo(language: Language) -> Self {
        let merchant = match language {
            Language::En => "Demo Store",
            Language::Ar => "متجر تجريبي",
        };
        Self {
            language,
            merchant: merchant.into(),
            brand: Brand::default(),
            currency: Currency::KWD,
            public_url: String::new(),
        }
    }

    /// The page of a merchant, in its first currency. `public_url` is the origin of the installation.
    #[must_use]
    pub fn of(settings: &MerchantSettings, public_url: &str, language: Language) -> Self {
        Self {
            language,
            merchant: clean(settings.name.text(language)),
            brand: settings.brand.clone(),
            currency: settings.currencies.first().copied().unwrap_or(Currency::KWD),
            public_url: public_url.into(),
        }
    }

    /// An amount of so many thousandths of a unit of the currency, as far as it has them.
    fn money(&self, thousandths: i64) -> Money {
        let minor = match self.currency.minor_units() {
            0 => thousandths.div_euclid(1_000),
            1 => thousandths.div_euclid(100),
            2 => thousandths.div_euclid(10),
            3 => thousandths,
            _ => thousandths.saturating_mul(10),
        };
        Money::new(minor, self.currency).unwrap_or(Money::zero(self.currency))
    }

    /// What an amount costs with a fee.
    fn quote(amount: Money, fee: Money) -> Quote {
        Quote { amount, fee, total: amount.checked_add(fee).unwrap_or(amount), rate: None }
    }

    /// The word of one of the two languages.
    fn word(&self, english: &str, arabic: &str) -> String {
        match self.language {
            Language::En => english.to_owned(),
            Language::Ar => arabic.to_owned(),
        }
    }

    /// A page of a status with what all pages of it have.
    fn page(&self, status: PageStatus) -> TransactionPage {
        let amount = self.money(10_250);
        TransactionPage {
            language: self.language,
            session_id: SessionId::generate(0, [7; 19]),
            merchant: self.merchant.clone(),
            brand: self.brand.clone(),
            public_url: self.public_url.clone(),
            order_no: Some("ORDER-1024".into()),
            amount,
            amount_field: None,
            payment_type: PaymentType::OneOff,
            status,
            notice: None,
            next: None,
            is_test: false,
            wallets: Vec::new(),
            saved: Vec::new(),
            can_remove_cards: true,
            asked: Vec::new(),
            methods: if status.can_pay() { self.methods() } else { Vec::new() },
            consent: None,
            saves_card: false,
            last: (status != PageStatus::Payable).then(|| self.last(status)),
            has_signed_receipt: status.is_success(),
            aftermath: None,
            movements: Vec::new(),
            is_unseen: false,
            details: OrderDetails::default(),
            attachment: None,
            expires_at: OPEN_UNTIL,
            is_last_day: true,
            due_at: None,
            clock: LocalClock::default(),
            merchant_link: status.is_final().then(|| MerchantLink {
                url: "https://shop.example/thanks".into(),
                host: "shop.example".into(),
            }),
            onward: None,
            refreshes: 0,
            guidance: self.guidance(status),
            form_targets: Vec::new(),
            page_hosts: Vec::new(),
        }
    }

    /// A payment that did not succeed was not charged.
    fn guidance(&self, status: PageStatus) -> Guidance {
        let is_over = !status.is_success() && !status.is_awaited() && status != PageStatus::Payable;
        let wanted = Wanted { status, language: self.language, subject: "ORDER-1024" };
        Guidance::new(is_over, &self.brand.support, wanted)
    }

    /// What the payer of a page agrees to.
    fn consent(&self, page: &TransactionPage, agreement: Option<&Agreement>) -> Option<ConsentText> {
        let agreed = ConsentBasis {
            payment_type: page.payment_type,
            amount: page.amount,
            agreement,
            ways: page.methods.iter().map(|way| Way::of_method(way, Strings::of(self.language))).collect(),
            can_save_card: true,
            merchant: &self.merchant,
            support: &self.brand.support,
        };
        ConsentText::new(&agreed, self.language)
    }

    fn last(&self, status: PageStatus) -> LastAttempt {
        let amount = self.money(10_250);
        let is_cash = status == PageStatus::CashOnDelivery;
        let fee = if is_cash { Money::zero(self.currency) } else { self.money(250) };
        LastAttempt {
            reference: "SAMPLE7K2M9Q".to_string(),
            method: if is_cash { self.word("Cash", "نقدًا") } else { self.word("KNET", "كي نت") },
            principal: amount,
            mark: (!is_cash).then_some(Mark::Knet),
            paid_with: None,
            quote: Self::quote(amount, fee),
            fee_label: (!is_cash).then(|| self.word("KNET fee", "رسوم كي نت")),
            at: AT,
            decline: None,
            data: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
