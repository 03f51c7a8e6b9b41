//! The policy of approvals as a form, and what it means in words.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::form::DeskForm;
use crate::settings::MerchantSettings;
use crate::settings::approvals::ApprovalPolicy;
use crate::strings::Strings;
use crate::strings::desk::DeskWords;
use crate::value::choice::typed_amount;
use crate::value::json::{self, Unwritten};
use crate::value::money::{Currency, Money};
use crate::words::{ChildOperation, Language};

/// The version of the settings that a form showed.
pub const VERSION: &str = "version";
/// The operations, one field each.
pub const OPERATIONS: &str = "operations";
/// Before the code of a currency: above which amount of a payment.
pub const ABOVE: &str = "above";
/// Before the code of a currency: how much one person may refund in a day.
pub const A_DAY: &str = "a_day";
/// How many persons.
pub const APPROVERS: &str = "approvers";
/// Whether keys are bound.
pub const KEYS: &str = "keys";
/// How long a request can be approved.
pub const HOURS: &str = "hours";
/// Which hours there can be.
pub const HOURS_RANGE: (u32, u32) = ApprovalPolicy::HOURS;

/// The field of an amount in a currency.
#[must_use]
pub fn field(name: &str, currency: Currency) -> String {
    format!("{name}.{}", currency.code())
}

/// The currencies of the form: those of the merchant, and any other that the policy names.
#[must_use]
pub fn currencies(settings: &MerchantSettings) -> Vec<Currency> {
    let mut all = settings.currencies.clone();
    let policy = &settings.approvals;
    for limit in policy.above.iter().chain(&policy.a_day) {
        if !all.contains(&limit.currency()) {
            all.push(limit.currency());
        }
    }
    all
}

/// The form, filled with the policy that is stored.
#[must_use]
pub fn filled(settings: &MerchantSettings) -> DeskForm {
    let policy = &settings.approvals;
    let mut fields = Vec::new();
    let mut add = |name: &str, value: &str| fields.push((name.into(), value.into()));
    add(VERSION, &settings.version.to_string());
    for operation in &policy.operations {
        add(OPERATIONS, operation.as_str());
    }
    for (name, limits) in [(ABOVE, &policy.above), (A_DAY, &policy.a_day)] {
        for limit in limits {
            add(&field(name, limit.currency()), &limit.to_string());
        }
    }
    add(APPROVERS, &policy.approvers.to_string());
    if policy.binds_keys {
        add(KEYS, "1");
    }
    add(HOURS, &hours(policy));
    DeskForm::of(fields)
}

fn hours(policy: &ApprovalPolicy) -> String {
    (policy.life.as_secs() / 3_600).to_string()
}

/// The policy that a filled-in form asks for, as the settings write it; `None` for no policy.
///
/// # Errors
/// None: texts can always be written.
pub(crate) fn asked(form: &DeskForm, settings: &MerchantSettings) -> Result<Option<String>, Unwritten> {
    let known = currencies(settings);
    let amounts = |name| {
        let given = known.iter().filter_map(|currency| {
            Some((currency.code(), typed_amount(form.filled(&field(name, *currency))?)))
        });
        given.collect::<BTreeMap<_, _>>()
    };
    let number = |name| Typed::of(form.get(name).unwrap_or_default());
    let document = PolicyDocument {
        operations: form.all(OPERATIONS).collect(),
        above: amounts(ABOVE),
        a_day: amounts(A_DAY),
        approvers: number(APPROVERS),
        keys: form.get(KEYS).is_some(),
        hours: number(HOURS),
    };
    let is_nothing = document.operations.is_empty() && document.above.is_empty() && document.a_day.is_empty();
    if is_nothing { Ok(None) } else { json::write(&document).map(Some) }
}

/// The member of the settings.
#[derive(Serialize)]
struct PolicyDocument<'a> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operations: Vec<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    above: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    a_day: BTreeMap<&'a str, String>,
    approvers: Typed,
    keys: bool,
    hours: Typed,
}

/// What was typed where a number is wanted.
#[derive(Serialize)]
#[serde(untagged)]
enum Typed {
    Number(u32),
    Text(String),
}

impl Typed {
    fn of(text: &str) -> Self {
        let text = typed_amount(text);
        text.parse().map_or(Self::Text(text), Self::Number)
    }
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentencePart {
    /// The text.
    pub text: String,
    /// Whether it is a value, whose direction is its own.
    pub is_value: bool,
}

/// A sentence in its parts.
pub type Sentence = Vec<SentencePart>;

/// A text with each `{name}` replaced by its value.
fn say(text: &str, values: &[(&str, &str)]) -> Sentence {
    let mut parts = Vec::new();
    for piece in text.split('}') {
        let (plain, name) = piece.split_once('{').unwrap_or((piece, ""));
        parts.push(SentencePart { text: plain.into(), is_value: false });
        let value = values.iter().find(|(known, _)| *known == name);
        parts.extend(value.map(|(_, value)| SentencePart { text: (*value).into(), is_value: true }));
    }
    parts
}

/// What a policy means for a merchant with these currencies, a sentence for each rule.
#[must_use]
pub fn meaning(policy: &ApprovalPolicy, currencies: &[Currency], language: Language) -> Vec<Sentence> {
    let words = &DeskWords::of(language).approval_policy;
    let (does_ask, is_limited) = (policy.is_set(), !policy.a_day.is_empty());
    let mut sentences = Vec::new();
    if does_ask {
        sentences.extend(asking(policy, currencies, language));
        sentences.push(say(words.nobody_own, &[]));
        sentences.push(say(words.ends, &[("hours", &hours(policy))]));
    }
    match (does_ask, is_limited) {
        (_, true) => sentences.extend(a_day(policy, currencies, language)),
        (true, false) => sentences.push(say(words.no_day, &[])),
        (false, false) => sentences.push(say(words.nothing, &[])),
    }
    if does_ask || is_limited {
        let text = if policy.binds_keys { words.binds_keys } else { words.frees_keys };
        sentences.push(say(text, &[]));
    }
    sentences
}

/// Which operations wait.
fn asking(policy: &ApprovalPolicy, currencies: &[Currency], language: Language) -> Vec<Sentence> {
    let words = &DeskWords::of(language).approval_policy;
    let has = |operation| policy.operations.contains(&operation);
    let what = match (has(ChildOperation::Refund), has(ChildOperation::Void)) {
        (true, true) => words.both,
        (true, false) => words.refunds,
        (false, _) => words.voids,
    };
    let who = who(policy, language);
    let template = |text: &str| text.replace("{what}", what).replace("{who}", who);
    let found = limits(&policy.above, currencies, language);
    let mut sentences: Vec<_> =
        found.amounts.iter().map(|amount| say(&template(words.above), &[("amount", amount)])).collect();
    if let Some(codes) = &found.others {
        sentences.push(say(&template(words.every), &[("currencies", codes)]));
    }
    sentences
}

const fn who(policy: &ApprovalPolicy, language: Language) -> &'static str {
    let words = &DeskWords::of(language).approval_policy;
    if policy.approvers == 1 { words.another } else { words.two_others }
}

/// How much one person refunds in a day.
fn a_day(policy: &ApprovalPolicy, currencies: &[Currency], language: Language) -> Vec<Sentence> {
    let words = &DeskWords::of(language).approval_policy;
    let may_ask = policy.operations.contains(&ChildOperation::Refund);
    let (text, none) =
        if may_ask { (words.day_asks, words.no_day_asks) } else { (words.day_refuses, words.no_day_refuses) };
    let template = |text: &str| text.replace("{who}", who(policy, language));
    let found = limits(&policy.a_day, currencies, language);
    let mut sentences: Vec<_> =
        found.amounts.iter().map(|amount| say(&template(text), &[("amount", amount)])).collect();
    if let Some(codes) = &found.others {
        sentences.push(say(&template(none), &[("currencies", codes)]));
    }
    sentences
}

/// Limits in words.
struct LimitsShown {
    amounts: Vec<String>,
    /// The codes of the currencies that have none, or one of zero.
    others: Option<String>,
}

fn limits(limits: &[Money], currencies: &[Currency], language: Language) -> LimitsShown {
    let strings = Strings::of(language);
    let limit = |currency: &Currency| {
        limits.iter().find(|limit| limit.currency() == *currency && !limit.is_zero()).copied()
    };
    let amounts = currencies.iter().filter_map(limit).map(|limit| strings.price(limit)).collect();
    let others: Vec<_> =
        currencies.iter().filter(|currency| limit(currency).is_none()).map(Currency::code).collect();
    LimitsShown { amounts, others: (!others.is_empty()).then(|| others.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(text: &str) -> ApprovalPolicy {
        crate::settings::parse::read_approvals(text).unwrap()
    }

    fn said(policy: &ApprovalPolicy, language: Language) -> Vec<String> {
        let currencies = ["KWD", "USD"].map(|code| Currency::parse(code).unwrap());
        let joined = |sentence: Sentence| sentence.into_iter().map(|part| part.text).collect();
        meaning(policy, &currencies, language).into_iter().map(joined).collect()
    }

    #[test]
    fn a_currency_without_an_amount_or_with_zero_is_named_with_what_that_means() {
        let policy = policy(
            r#"{"operations":["refund","void"],"above":{"USD":"0"},"a_day":{"KWD":"0.000","USD":"9.50"},"approvers":2}"#,
        );
        assert_eq!(
            said(&policy, Language::En),
            [
                "Refunds and voids in KWD, USD wait for two other persons, whatever the amount.",
                "Nobody approves what they asked for.",
                "A request can be approved for so many hours: 48.",
                "One person may refund USD 9.50 a day; more waits for two other persons.",
                "Nothing may be refunded in KWD by one person alone: all of it waits for two other persons.",
                "Keys of the API are not held to these rules.",
            ]
        );
    }

    #[test]
    fn a_limit_of_a_day_where_only_voids_are_approved_refuses_refunds() {
        let policy = policy(r#"{"operations":["void"],"a_day":{"KWD":"9"},"keys":true}"#);
        let said = said(&policy, Language::En);
        assert_eq!(said.first().unwrap(), "Voids in KWD, USD wait for another person, whatever the amount.");
        assert_eq!(said.get(3).unwrap(), "One person may refund KWD 9.000 a day; more is refused.");
        assert_eq!(said.get(4).unwrap(), "Nothing may be refunded in USD: it is refused.");
    }

    #[test]
    fn both_languages_say_the_same_rules_and_every_value_is_filled_in() {
        for text in [
            r#"{"operations":["refund"],"above":{"KWD":"1"},"a_day":{"USD":"2"}}"#,
            r#"{"operations":["void"]}"#,
            r#"{"a_day":{"USD":"2"},"keys":true}"#,
        ] {
            let policy = policy(text);
            let (english, arabic) = (said(&policy, Language::En), said(&policy, Language::Ar));
            assert_eq!(english.len(), arabic.len());
            assert!(english.iter().chain(&arabic).all(|sentence| !sentence.contains(['{', '}'])));
        }
    }
}
