//! What the element `<till-checkout>` says and knows: the texts of the hosted page, and a few of its own. It runs without the
//! page's module, so `clients/checkout/src/facts.js` is printed from here.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Serialize, Serializer};

use crate::gateway::mark::Mark;
use crate::gateway::wallet::sheet::networks;
use crate::state::State;
use crate::strings::refusal::REFUSALS;
use crate::strings::screen::{PageStatus, ScreenNotice};
use crate::strings::{HeadedText, Strings};
use crate::value::money::Currency;
use crate::words::card_brand::CardBrand;
use crate::words::payment_type::PaymentType;
use crate::words::{Language, Wallet};

/// The facts of the element.
#[derive(Debug)]
pub struct ElementFacts;

impl ElementFacts {
    /// The text of the script that has them.
    ///
    /// # Errors
    /// None: texts always serialise.
    pub fn script() -> Result<String, serde_json::Error> {
        let words = |is: fn(State) -> bool| -> Vec<&str> {
            State::ALL.into_iter().filter(|state| is(*state)).map(State::as_str).collect()
        };
        let arabic = Strings::of(Language::Ar);
        let signs = Currency::all()
            .filter(|currency| arabic.unwritten_code(*currency).is_some())
            .map(|currency| (currency.code(), arabic.sign(currency)));
        let brands = CardBrand::ALL.into_iter().filter(|brand| Mark::of_card_brand(*brand).is_some());
        let alike = REFUSALS.iter().filter_map(|(code, notice)| Some((*code, key_of(*notice)?)));
        let alike = alike.filter(|(code, text)| code != text);
        let sheets = Wallet::ALL.into_iter().map(|wallet| (wallet.as_str(), networks(wallet)));
        let lists = [
            printed(
                "FINAL",
                "Payer and page have nothing more to do in these states.",
                &words(|state| !state.is_payable()),
            )?,
            printed("SUCCESS", "The payment succeeded.", &words(State::is_success))?,
            printed(
                "SIGNS",
                "How Arabic writes currencies, after the amount; others by their code.",
                &NamedValues(signs.collect()),
            )?,
            printed(
                "NETWORKS",
                "The networks of cards, as each wallet names them.",
                &NamedValues(sheets.collect()),
            )?,
            printed(
                "BRANDS",
                "Brands of cards as they write themselves.",
                &brands.map(CardBrand::name).collect::<Vec<_>>(),
            )?,
            printed(
                "ALIKE",
                "Codes of problems that mean the same as another, whose text says it.",
                &NamedValues(alike.collect()),
            )?,
        ];
        let [english, arabic] = [Language::En, Language::Ar].map(texts);
        let texts = [
            printed(
                "en",
                "The texts in English. What follows the first line of one is the rest of a headed text.",
                &NamedValues(english),
            )?,
            printed("ar", "The texts in Arabic. @type {typeof en}", &NamedValues(arabic))?,
        ];
        Ok(format!(
            "/** What the element says and knows, printed from core/src/checkout/element.rs by `make describe`. */\n\n{}\n{}",
            lists.concat(),
            texts.concat()
        ))
    }
}

/// Pairs that are written as the members of an object.
struct NamedValues<T>(Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for NamedValues<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

fn printed(name: &str, about: &str, value: &impl Serialize) -> Result<String, serde_json::Error> {
    let value = serde_json::to_string_pretty(value)?;
    Ok(format!("/** {about} */\nexport const {name} = {value};\n"))
}

/// The name of the text of a notice: the first code that means it.
fn key_of(notice: ScreenNotice) -> Option<&'static str> {
    REFUSALS.iter().find(|(_, known)| *known == notice).map(|(code, _)| *code)
}

/// The screen that says what a state means to a payer who can do nothing.
const fn screen_of(state: State) -> Option<PageStatus> {
    match state {
        State::Paid | State::Refunded => Some(PageStatus::Paid),
        State::Authorized => Some(PageStatus::Authorized),
        State::Cod => Some(PageStatus::CashOnDelivery),
        State::Failed => Some(PageStatus::Failed),
        State::Canceled => Some(PageStatus::Canceled),
        State::Expired => Some(PageStatus::Expired),
        State::Invalided => Some(PageStatus::Invalid),
        State::Created | State::Pending | State::Attempted => None,
    }
}

/// A headed text in lines, without the sentences whose places the element cannot fill.
fn headed(text: HeadedText) -> String {
    let sentences: Vec<&str> = text.text.split_inclusive(". ").filter(|one| !one.contains('{')).collect();
    [text.title, "\n", sentences.concat().trim_end()].concat().trim_end().to_string()
}

fn texts(language: Language) -> Vec<(&'static str, String)> {
    let strings = Strings::of(language);
    let own = ElementWords::of(language);
    let (label, action, ways, notice) = (&strings.label, &strings.action, &strings.ways, &strings.notice);
    let screen = |status| strings.screen(status, PaymentType::OneOff);
    let plain = [
        ("loadingWords", own.loading),
        ("chooseWords", screen(PageStatus::Payable).title),
        ("cardWords", ways.card),
        ("endingWords", ways.ending_in),
        ("expiresWords", ways.good_until),
        ("amountWords", label.amount_to_pay),
        ("includesWords", label.including),
        ("feeAddedWords", label.fee_added),
        ("orWords", ways.or),
        ("payWithWords", ways.pay_with),
        ("saveCardWords", ways.save_card),
        ("saveTermsWords", own.save_terms),
        ("payWords", action.pay),
        ("continueToWords", action.continue_to),
        ("payWithCardWords", action.pay_with_card),
        ("payOnDeliveryWords", action.pay_on_delivery),
        ("openingWords", action.connecting),
        ("againWords", own.again),
        ("termsWords", own.terms),
        ("hostedWords", own.hosted),
        ("receiptWords", strings.receipt().title),
        ("unchargedWords", strings.guide().not_charged),
        ("invalidWords", strings.amount_fault.malformed),
    ];
    let test = [strings.test_mode.title, " · ", strings.test_mode.text].concat();
    let states =
        State::ALL.into_iter().filter_map(|state| Some((state.as_str(), headed(screen(screen_of(state)?)))));
    let notices = REFUSALS.iter().filter(|(code, one)| key_of(*one) == Some(*code));
    let notices = notices.map(|(code, one)| (*code, headed(strings.notice(*one, PaymentType::OneOff))));
    let others = [
        ("testWords", test),
        ("waitingWords", headed(screen(PageStatus::Pending))),
        ("withdrawnWords", headed(notice.withdrawn)),
        ("not_found", strings.guide().not_found.title.to_string()),
        ("unreachable", headed(notice.offline)),
        ("otherWords", headed(notice.no_answer)),
    ];
    let plain = plain.into_iter().map(|(name, text)| (name, text.to_string()));
    plain.chain(others).chain(states).chain(notices).collect()
}

/// What only the element says, in one language.
struct ElementWords {
    /// Before there is an answer.
    loading: &'static str,
    /// Next to the tick that saves the card.
    save_terms: &'static str,
    /// The button that begins again.
    again: &'static str,
    /// Instead of methods: the payer has to accept terms.
    terms: &'static str,
    /// The button that leads to the hosted page.
    hosted: &'static str,
}

impl ElementWords {
    const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &Self::ENGLISH,
            Language::Ar => &Self::ARABIC,
        }
    }

    const ENGLISH: Self = Self {
        loading: "Loading…",
        save_terms: "For payments that you start yourself. You can remove it on the payment page.",
        again: "Try again",
        terms: "This payment saves your card, or allows later payments. Its terms are on the payment page.",
        hosted: "Continue to the payment page",
    };

    const ARABIC: Self = Self {
        loading: "جارٍ التحميل…",
        save_terms: "للدفعات التي تبدؤها بنفسك. يمكنك إزالتها في صفحة الدفع.",
        again: "إعادة المحاولة",
        terms: "تُحفظ بطاقتك في هذه العملية أو يُسمح بدفعات لاحقة منها. الشروط في صفحة الدفع.",
        hosted: "المتابعة إلى صفحة الدفع",
    };
}
