//! What the element `<till-checkout>` says and knows: the texts of the hosted page, and a few of its own. It runs without the
//! page's module, so `facts.js`, `en.js` and `ar.js` of `clients/checkout/src` are printed from here.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Serialize, Serializer};

use crate::gateway::flexible::PayerField;
use crate::gateway::mark::Mark;
use crate::gateway::wallet::sheet::networks;
use crate::state::State;
use crate::strings::refusal::REFUSALS;
use crate::strings::screen::{PageStatus, ScreenNotice};
use crate::strings::{HeadedText, Strings};
use crate::value::choice::AmountChoice;
use crate::value::money::{Currency, Money};
use crate::words::card_brand::CardBrand;
use crate::words::payment_type::PaymentType;
use crate::words::{Language, Wallet};

/// The facts of the element.
#[derive(Debug)]
pub struct ElementFacts;

impl ElementFacts {
    /// The scripts that have them, by the names of their files: what is of no language, and the words of each.
    ///
    /// # Errors
    /// None: texts always serialise.
    pub fn scripts() -> Result<[(&'static str, String); 3], serde_json::Error> {
        Ok([("facts.js", facts()?), ("en.js", words(Language::En)?), ("ar.js", words(Language::Ar)?)])
    }
}

/// What is of no language.
fn facts() -> Result<String, serde_json::Error> {
    let states = |is: fn(State) -> bool| -> Vec<&str> {
        State::ALL.into_iter().filter(|state| is(*state)).map(State::as_str).collect()
    };
    let brands = CardBrand::ALL.into_iter().filter(|brand| Mark::of_card_brand(*brand).is_some());
    let alike = REFUSALS.iter().filter_map(|(code, notice)| Some((*code, key_of(*notice)?)));
    let alike = alike.filter(|(code, text)| code != text);
    let sheets = Wallet::ALL.into_iter().map(|wallet| (wallet.as_str(), networks(wallet)));
    let lists = [
        printed(
            "FINAL",
            "Payer and page have nothing more to do in these states.",
            &states(|state| !state.is_payable()),
        )?,
        printed("SUCCESS", "The payment succeeded.", &states(State::is_success))?,
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
        printed(
            "LEAST",
            "The least that a payer may choose to pay, by the number of decimals of the currency.",
            &least_by_decimals(),
        )?,
        printed(
            "ASKED",
            "The fields in which a payer says what a method must know.",
            &NamedValues(PayerField::ALL.map(|field| (field.as_str(), field.names())).into()),
        )?,
    ];
    Ok(headed_script("What the element knows", &lists))
}

/// What it says in a language, and how that writes currencies.
fn words(language: Language) -> Result<String, serde_json::Error> {
    let strings = Strings::of(language);
    let signs = Currency::all()
        .filter(|currency| strings.unwritten_code(*currency).is_some())
        .map(|currency| (currency.code(), strings.sign(currency)));
    let (about, kind) = match language {
        Language::En => ("What the element says in English", ""),
        Language::Ar => ("What the element says in Arabic", r#" @type {typeof import("./en.js").texts}"#),
    };
    let parts = [
        printed(
            "texts",
            &["What follows the first line of a text is the rest of a headed one.", kind].concat(),
            &NamedValues(texts(language)),
        )?,
        printed(
            "signs",
            "How currencies are written after an amount, if not by their code. @type {Record<string, string>}",
            &NamedValues(signs.collect()),
        )?,
    ];
    Ok(headed_script(about, &parts))
}

fn headed_script(about: &str, parts: &[String]) -> String {
    let from = "printed from core/src/checkout/element.rs by `make describe`.";
    format!("/** {about}, {from} */\n\n{}", parts.concat())
}

/// The least that a payer may choose, in a currency of no decimals, of one, and so on; empty where no currency has so many.
fn least_by_decimals() -> Vec<String> {
    let of = |decimals| {
        let currency = Currency::all().find(|currency| currency.minor_units() == decimals)?;
        Some(AmountChoice::up_to(Money::new(1_000_000, currency).ok()?)?.least().text())
    };
    (0..=4).map(|decimals| of(decimals).unwrap_or_default()).collect()
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

/// The texts that are made of several, and the headed ones of no state and no code.
fn made(strings: &Strings) -> [(&'static str, String); 11] {
    let (label, notice) = (&strings.label, &strings.notice);
    let screen = |status| headed(strings.screen(status, PaymentType::OneOff));
    let limits = [label.amount_from, " {least} ", label.amount_to, " {most}"].concat();
    let test = [strings.test_mode.title, " · ", strings.test_mode.text].concat();
    [
        ("limits", limits),
        ("test", test),
        ("waiting", screen(PageStatus::Pending)),
        ("paused", screen(PageStatus::Paused)),
        ("not_payable", screen(PageStatus::Invalid)),
        ("withdrawn", headed(notice.withdrawn)),
        ("checked", headed(notice.checked)),
        ("not_chosen", headed(notice.not_chosen)),
        ("not_found", strings.guide().not_found.title.to_string()),
        ("unreachable", headed(notice.offline)),
        ("other", headed(notice.no_answer)),
    ]
}

fn texts(language: Language) -> Vec<(&'static str, String)> {
    let strings = Strings::of(language);
    let own = ElementWords::of(language);
    let (label, action, ways) = (&strings.label, &strings.action, &strings.ways);
    let screen = |status| strings.screen(status, PaymentType::OneOff);
    let plain = [
        ("loading", own.loading),
        ("choose", screen(PageStatus::Payable).title),
        ("card", ways.card),
        ("ending", ways.ending_in),
        ("expires", ways.good_until),
        ("amount", label.amount_to_pay),
        ("includes", label.including),
        ("feeAdded", label.fee_added),
        ("or", ways.or),
        ("payWith", ways.pay_with),
        ("saveCard", ways.save_card),
        ("saveTerms", own.save_terms),
        ("pay", action.pay),
        ("continueTo", action.continue_to),
        ("payWithCard", action.pay_with_card),
        ("payOnDelivery", action.pay_on_delivery),
        ("opening", action.connecting),
        ("again", own.again),
        ("terms", own.terms),
        ("hosted", own.hosted),
        ("receipt", strings.receipt().title),
        ("uncharged", strings.guide().not_charged),
        ("invalid", strings.amount_fault.malformed),
        ("nextOther", strings.next().other),
        ("nextSame", strings.next().same),
    ];
    let states =
        State::ALL.into_iter().filter_map(|state| Some((state.as_str(), headed(screen(screen_of(state)?)))));
    let notices = REFUSALS.iter().filter(|(code, one)| key_of(*one) == Some(*code));
    let notices = notices.map(|(code, one)| (*code, headed(strings.notice(*one, PaymentType::OneOff))));
    let flexible = strings.flexible();
    let flexible =
        [("checking", flexible.checking), ("gone", flexible.unavailable), ("missing", flexible.missing)]
            .into_iter()
            .chain(
                PayerField::ALL
                    .into_iter()
                    .flat_map(PayerField::names)
                    .flat_map(|name| flexible.of_field(name)),
            );
    let plain = plain.into_iter().chain(flexible).map(|(name, text)| (name, text.to_string()));
    plain.chain(made(strings)).chain(states).chain(notices).collect()
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
