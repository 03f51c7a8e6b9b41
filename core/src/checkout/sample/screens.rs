//! The list of screens.

use alloc::vec::Vec;

use super::frame::{AT, OPEN_UNTIL, Sample};
use crate::checkout::page::{
    FieldValue, Items, OrderDetails, OutcomeAmount, PageAddress, PageAmountField, PageField, PaidWith,
    ShownMovement, TransactionPage, WalletButton,
};
use crate::gateway::decline::DeclineReason;
use crate::gateway::mark::Mark;
use crate::gateway::terms::Terms;
use crate::settings::brand::{Links, Support};
use crate::strings::screen::{Aftermath, PageStatus, PauseText, ScreenNotice};
use crate::transaction::agreement::Agreement;
use crate::transaction::items::Item;
use crate::value::choice::{AmountChoice, ChoiceError};
use crate::value::money::Money;
use crate::value::money::totals::Totals;
use crate::value::time::date::Date;
use crate::value::web_address::{Reach, WebAddress};
use crate::words::agreement::{AgreementType, Frequency, Variability};
use crate::words::payment_type::PaymentType;
use crate::words::{ChildOperation, Language, Wallet};

/// A screen with its name.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// What it is called: small letters and underscores.
    pub name: &'static str,
    make: fn(&Sample) -> TransactionPage,
}

impl Screen {
    /// The screen of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        SCREENS.iter().find(|screen| screen.name == name)
    }

    /// The page.
    #[must_use]
    pub fn page(&self, sample: &Sample) -> TransactionPage {
        (self.make)(sample)
    }
}

/// Every screen, in the order in which a payment passes them.
#[must_use]
pub const fn screens() -> &'static [Screen] {
    SCREENS
}

const fn screen(name: &'static str, make: fn(&Sample) -> TransactionPage) -> Screen {
    Screen { name, make }
}

/// The names of the screens, in the order of [`screens`].
pub const SCREEN_NAMES: &[&str] = &[
    "payable",
    "payable_by_one_method",
    "payable_by_wallet",
    "payable_by_saved_card",
    "payable_unfinished",
    "payable_in_part",
    "amount_fault",
    "payable_with_details",
    "payable_with_contacts",
    "payable_again_and_again",
    "save_card",
    "declined",
    "declined_for_funds",
    "withdrawn",
    "gateway_trouble",
    "page_not_opened",
    "checked",
    "replaced",
    "other_terms",
    "price_changed",
    "in_progress",
    "too_many_attempts",
    "too_many_declines",
    "method_unknown",
    "no_wallet",
    "not_chosen",
    "card_locked",
    "pending",
    "late",
    "held",
    "paid",
    "paid_by_card",
    "paid_without_a_link_back",
    "card_saved",
    "authorized",
    "cash_on_delivery",
    "captured",
    "partly_captured",
    "rest_released",
    "voided",
    "refund_queued",
    "partly_refunded",
    "refunded",
    "refunded_except_fee",
    "failed",
    "failed_with_contacts",
    "failed_without_a_link_back",
    "expired",
    "expired_with_contacts",
    "expired_without_a_link_back",
    "canceled",
    "invalid",
    "paused",
];

const SCREENS: &[Screen] = &[
    screen("payable", |sample| sample.page(PageStatus::Payable)),
    screen("payable_by_one_method", one_method),
    screen("payable_by_wallet", wallets),
    screen("payable_by_saved_card", saved_cards),
    screen("payable_unfinished", unfinished),
    screen("payable_in_part", |sample| amount_choice(sample, None)),
    screen("amount_fault", |sample| amount_choice(sample, Some(ChoiceError::OutOfRange))),
    screen("payable_with_details", details),
    screen("payable_with_contacts", |sample| with_contacts(sample, PageStatus::Payable)),
    screen("payable_again_and_again", recurring),
    screen("save_card", |sample| save_card(sample, PageStatus::Payable)),
    screen("declined", |sample| notice(sample, ScreenNotice::Declined)),
    screen("declined_for_funds", declined_for_funds),
    screen("withdrawn", |sample| notice(sample, ScreenNotice::Withdrawn)),
    screen("gateway_trouble", |sample| notice(sample, ScreenNotice::GatewayTrouble)),
    screen("page_not_opened", |sample| notice(sample, ScreenNotice::PageNotOpened)),
    screen("checked", |sample| notice(sample, ScreenNotice::Checked)),
    screen("replaced", |sample| notice(sample, ScreenNotice::Replaced)),
    screen("other_terms", other_terms),
    screen("price_changed", |sample| notice(sample, ScreenNotice::PriceChanged)),
    screen("in_progress", |sample| notice(sample, ScreenNotice::InProgress)),
    screen("too_many_attempts", |sample| notice(sample, ScreenNotice::TooManyAttempts)),
    screen("too_many_declines", |sample| {
        notice(sample, ScreenNotice::TooManyDeclines(PauseText::QuarterHour))
    }),
    screen("method_unknown", |sample| notice(sample, ScreenNotice::MethodUnknown)),
    screen("no_wallet", |sample| notice(sample, ScreenNotice::NoWallet)),
    screen("not_chosen", |sample| notice(sample, ScreenNotice::NotChosen)),
    screen("card_locked", card_locked),
    screen("pending", |sample| sample.page(PageStatus::Pending)),
    screen("late", |sample| sample.page(PageStatus::Late)),
    screen("held", |sample| sample.page(PageStatus::Held)),
    screen("paid", |sample| sample.page(PageStatus::Paid)),
    screen("paid_by_card", paid_by_card),
    screen("paid_without_a_link_back", |sample| without_link(sample, PageStatus::Paid)),
    screen("card_saved", |sample| save_card(sample, PageStatus::Paid)),
    screen("authorized", |sample| sample.page(PageStatus::Authorized)),
    screen("cash_on_delivery", |sample| sample.page(PageStatus::CashOnDelivery)),
    screen("captured", |sample| moved(sample, Aftermath::Captured)),
    screen("partly_captured", |sample| moved(sample, Aftermath::PartlyCaptured)),
    screen("rest_released", |sample| moved(sample, Aftermath::RestReleased)),
    screen("voided", |sample| moved(sample, Aftermath::Voided)),
    screen("refund_queued", |sample| moved(sample, Aftermath::RefundQueued)),
    screen("partly_refunded", |sample| moved(sample, Aftermath::PartlyRefunded)),
    screen("refunded", |sample| moved(sample, Aftermath::Refunded)),
    screen("refunded_except_fee", |sample| moved(sample, Aftermath::RefundedExceptFee)),
    screen("failed", |sample| sample.page(PageStatus::Failed)),
    screen("failed_with_contacts", |sample| with_contacts(sample, PageStatus::Failed)),
    screen("failed_without_a_link_back", |sample| without_link(sample, PageStatus::Failed)),
    screen("expired", |sample| sample.page(PageStatus::Expired)),
    screen("expired_with_contacts", |sample| with_contacts(sample, PageStatus::Expired)),
    screen("expired_without_a_link_back", |sample| without_link(sample, PageStatus::Expired)),
    screen("canceled", |sample| sample.page(PageStatus::Canceled)),
    screen("invalid", |sample| sample.page(PageStatus::Invalid)),
    screen("paused", |sample| sample.page(PageStatus::Paused)),
];

fn one_method(sample: &Sample) -> TransactionPage {
    let mut page = sample.page(PageStatus::Payable);
    page.methods.truncate(1);
    page
}

fn wallets(sample: &Sample) -> TransactionPage {
    let mut page = sample.page(PageStatus::Payable);
    let quote = Sample::quote(page.amount, Money::zero(sample.currency));
    page.wallets.push(WalletButton {
        wallet: Wallet::ApplePay,
        code: "apple-pay".into(),
        principal: page.amount,
        quote,
        terms: Terms {
            source: sample.currency,
            rate: None,
            fixed: Money::zero(sample.currency),
            percent: 0.into(),
            totals: Totals::ALL,
        },
        fee_label: None,
        country: "KW".into(),
        shop_name: sample.merchant.clone(),
        google_pay: None,
    });
    page
}

fn saved_cards(sample: &Sample) -> TransactionPage {
    let mut page = sample.page(PageStatus::Payable);
    page.saved = sample.saved_cards();
    for method in &mut page.methods {
        method.is_chosen = false;
    }
    if let Some(first) = page.saved.first_mut() {
        first.method.is_chosen = true;
    }
    page
}

/// The page of a bank waits for the payer.
fn unfinished(sample: &Sample) -> TransactionPage {
    let mut page = sample.page(PageStatus::Payable);
    page.methods.iter_mut().take(1).for_each(|first| first.is_waiting = true);
    page
}

fn amount_choice(sample: &Sample, fault: Option<ChoiceError>) -> TransactionPage {
    let mut page = sample.page(PageStatus::Payable);
    let typed = if fault.is_some() { "900".into() } else { alloc::format!("{}", page.amount) };
    page.amount_field =
        AmountChoice::up_to(page.amount).map(|choice| PageAmountField { typed, choice, fault });
    page
}

/// A merchant who can be reached and names its rules: the merchant's own contacts, or made-up ones.
fn with_contacts(sample: &Sample, status: PageStatus) -> TransactionPage {
    let mut sample = sample.clone();
    let address = |path| WebAddress::parse(path, Reach::Public).ok();
    if sample.brand.support == Support::default() {
        sample.brand.support = Support {
            email: Some("help@shop.example.com".into()),
            phone: Some("+96522212345".into()),
            whatsapp: Some("+96522212345".into()),
        };
    }
    if sample.brand.links == Links::default() {
        sample.brand.links = Links {
            terms: address("https://shop.example.com/terms"),
            refunds: address("https://shop.example.com/refunds"),
        };
    }
    sample.page(status)
}

/// The merchant named no address to go on to.
fn without_link(sample: &Sample, status: PageStatus) -> TransactionPage {
    TransactionPage { merchant_link: None, ..sample.page(status) }
}

fn card_locked(sample: &Sample) -> TransactionPage {
    TransactionPage { notice: Some(ScreenNotice::CardLocked), last: None, ..saved_cards(sample) }
}

/// A receipt with everything that a bank says.
fn paid_by_card(sample: &Sample) -> TransactionPage {
    let mut page = sample.page(PageStatus::Paid);
    if let Some(last) = &mut page.last {
        last.method = sample.word("Credit card", "بطاقة ائتمان");
        last.mark = Some(Mark::Visa);
        last.fee_label = Some(sample.word("Card fee", "رسوم البطاقة"));
        last.paid_with = Some(PaidWith::Card { brand: Some("Visa".into()), ending: "1111".into() });
        let names = [
            ("Result", "النتيجة", "CAPTURED"),
            ("Payment ID", "معرّف الدفع", "100202632512345"),
            ("Authorization Code", "رمز التفويض", "B63512"),
        ];
        let line = |(english, arabic, value): (_, _, &str)| match sample.language {
            Language::En => (english, value.into()),
            Language::Ar => (arabic, value.into()),
        };
        last.data = names.into_iter().map(line).collect();
    }
    page
}

fn details(sample: &Sample) -> TransactionPage {
    let place = PageAddress {
        lines: Vec::from([
            sample.word("Salem Al-Mubarak Street 12", "شارع سالم المبارك 12"),
            sample.word("Salmiya, Hawalli", "السالمية، حولي"),
        ]),
        country: "KW".into(),
    };
    let mut page = sample.page(PageStatus::Payable);
    page.due_at = Some(OPEN_UNTIL);
    page.details = OrderDetails {
        description: Some(
            sample.word("Birthday gift, delivered on Friday", "هدية عيد ميلاد، التوصيل يوم الجمعة"),
        ),
        items: Some(Items {
            label: sample.word("Your order", "طلبك"),
            list: Vec::from([
                Item {
                    name: sample.word("Oud perfume, 50 ml", "عطر عود، 50 مل"),
                    quantity: Some(1),
                    amount: Some(sample.money(7_500)),
                },
                Item {
                    name: sample.word("Saffron tea", "شاي بالزعفران"),
                    quantity: Some(2),
                    amount: Some(sample.money(2_750)),
                },
            ]),
        }),
        payer: Some(sample.word("Noura Al-Salem", "نورة السالم")),
        billing: Some(place.clone()),
        shipping: Some(place),
        fields: Vec::from([PageField {
            label: sample.word("Branch", "الفرع"),
            value: FieldValue::Words(sample.word("Salmiya", "السالمية")),
        }]),
    };
    page
}

/// The first of twelve monthly payments.
fn recurring(sample: &Sample) -> TransactionPage {
    let agreement = Agreement {
        id: Some("sample".into()),
        kind: AgreementType::Recurring,
        amount_variability: Some(Variability::Fixed),
        cycle_interval_days: Some(28),
        expiry_date: Date::parse("2027-11-21"),
        start_date: None,
        frequency: Some(Frequency::Monthly),
        max_amount_per_cycle: None,
        total_cycles: Some(12),
        seller: None,
        extra_params: None,
    };
    let mut page = sample.page(PageStatus::Payable);
    page.payment_type = PaymentType::AutoDebit;
    page.methods.retain(|method| method.can_save_card);
    for method in &mut page.methods {
        method.is_chosen = true;
        method.can_save_card = false;
    }
    page.consent = sample.consent(&page, Some(&agreement));
    page
}

/// Only what is agreed to has terms.
fn other_terms(sample: &Sample) -> TransactionPage {
    TransactionPage { notice: Some(ScreenNotice::OtherTerms), ..recurring(sample) }
}

fn save_card(sample: &Sample, status: PageStatus) -> TransactionPage {
    let mut page = sample.page(status);
    let zero = Money::zero(sample.currency);
    page.payment_type = PaymentType::SaveCard;
    page.amount = zero;
    page.methods.retain(|method| method.can_save_card);
    for method in &mut page.methods {
        method.quote = Sample::quote(zero, zero);
        method.is_chosen = true;
        method.can_save_card = false;
    }
    page.consent = sample.consent(&page, None).filter(|_| status.can_pay());
    if let Some(last) = &mut page.last {
        last.principal = zero;
        last.quote = Sample::quote(zero, zero);
    }
    page
}

fn notice(sample: &Sample, notice: ScreenNotice) -> TransactionPage {
    TransactionPage { notice: Some(notice), ..sample.page(PageStatus::Declined) }
}

fn declined_for_funds(sample: &Sample) -> TransactionPage {
    let mut page = notice(sample, ScreenNotice::Declined);
    if let Some(last) = &mut page.last {
        last.decline = Some(DeclineReason::InsufficientFunds);
    }
    page
}

fn moved(sample: &Sample, aftermath: Aftermath) -> TransactionPage {
    let (operation, is_queued, thousandths) = match aftermath {
        Aftermath::Captured => (ChildOperation::Capture, false, 10_500),
        Aftermath::PartlyCaptured | Aftermath::RestReleased => (ChildOperation::Capture, false, 4_125),
        Aftermath::Voided => (ChildOperation::Void, false, 10_500),
        Aftermath::Refunded => (ChildOperation::Refund, false, 10_500),
        Aftermath::RefundedExceptFee => (ChildOperation::Refund, false, 10_250),
        Aftermath::PartlyRefunded => (ChildOperation::Refund, false, 4_125),
        Aftermath::RefundQueued => (ChildOperation::Refund, true, 4_125),
    };
    let status = if operation == ChildOperation::Refund { PageStatus::Paid } else { PageStatus::Authorized };
    let amount = sample.money(thousandths);
    let moved = OutcomeAmount { operation, is_queued, amount, whole: sample.money(10_500), times: 1 };
    TransactionPage {
        aftermath: Some((aftermath, moved)),
        movements: Vec::from([ShownMovement { operation, is_queued, amount, at: AT }]),
        ..sample.page(status)
    }
}
