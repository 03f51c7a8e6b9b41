//! The agreement under which later payments are made.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;
use core::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::value::money::decimal::lex;
use crate::value::money::{Currency, Money};
use crate::value::time::Timestamp;
use crate::value::time::date::Date;
use crate::violation::Rule;
use crate::wire::field::{Fields, is_blank};
use crate::wire::members::Members;
use crate::wire::noted::{self, Noted};
use crate::words::agreement::{AgreementType, Frequency, Variability};

const DAY: Duration = Duration::from_hours(24);
/// The most bytes of an agreement, as written.
const MAX_BYTES: usize = 8_192;

/// The most that one payment takes, in major units of a currency that the agreement does not name: as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct MostPerCycle(String);

impl MostPerCycle {
    /// Reads an amount.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_amount = lex(text).is_ok();
        is_amount.then(|| Self(text.into()))
    }

    /// The amount in a currency; `None` if it has more decimal places than the currency.
    #[must_use]
    pub(crate) fn in_currency(&self, currency: Currency) -> Option<Money> {
        Money::parse(&self.0, currency).ok()
    }
}

/// What the merchant's agreements may contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgreementSettings {
    /// Whether payments of the merchant must comply with the terms.
    pub enforce: bool,
    /// The types that are permitted; empty for all.
    pub types: Vec<AgreementType>,
    /// The ids that are permitted to unscheduled agreements; empty for any.
    pub unscheduled_ids: Vec<String>,
    /// The frequencies that are permitted to unscheduled agreements.
    pub unscheduled_frequencies: Vec<Frequency>,
}

/// An agreement between merchant and payer. Its words are those of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Agreement {
    /// At most 128 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `recurring` if it is not given.
    #[serde(rename = "type")]
    pub kind: AgreementType,
    /// `fixed` or `variable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub amount_variability: Option<Variability>,
    /// 1 to 366 days between payments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_interval_days: Option<u16>,
    /// `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub expiry_date: Option<Date>,
    /// `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub start_date: Option<Date>,
    /// How often.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub frequency: Option<Frequency>,
    /// The most that one payment takes, in major units.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub max_amount_per_cycle: Option<MostPerCycle>,
    /// 1 to 999 payments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_cycles: Option<u16>,
    /// The retailer of an installment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seller: Option<Seller>,
    /// More about the payments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_params: Option<ExtraParams>,
}

/// The retailer of an installment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Seller {
    /// At most 128 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// At most 64 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short_name: Option<String>,
    /// Four digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_code: Option<String>,
}

/// More about the payments of an agreement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExtraParams {
    /// The day of the month, 1 to 31.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_processing_day: Option<u16>,
}

impl Agreement {
    /// Whether its last day has passed, in UTC.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.expiry_date.is_some_and(|last| now >= last.begins_at().plus(DAY))
    }
}

// The members that an agreement of its type must have. Decision: an installment is recurring and has a
// seller; what is unscheduled has a frequency; every agreement has an id, because a saved card is stored
// under it.
const RECURRING: &[&str] =
    &["id", "amount_variability", "cycle_interval_days", "expiry_date", "frequency", "total_cycles"];
const INSTALLMENT: &[&str] = &[
    "id",
    "amount_variability",
    "cycle_interval_days",
    "expiry_date",
    "frequency",
    "total_cycles",
    "seller",
];
const UNSCHEDULED: &[&str] = &["id", "frequency"];
const OTHERS: &[&str] = &["id"];

/// The members of an agreement, and which of them must be given.
struct AgreementReader<'a> {
    members: Members<'a>,
    needed: &'static [&'static str],
}

impl<'a> AgreementReader<'a> {
    fn new(members: Members<'a>) -> Self {
        let kind = members.get("type").filter(|raw| !is_blank(raw));
        let kind = match kind {
            None => Some(AgreementType::Recurring),
            Some(raw) => AgreementType::parse(&Fields::decode_text(raw).unwrap_or_default()),
        };
        let needed = match kind {
            Some(AgreementType::Recurring) => RECURRING,
            Some(AgreementType::Installment) => INSTALLMENT,
            Some(AgreementType::Unscheduled) => UNSCHEDULED,
            // A type that cannot be read is reported itself; what it would need is not known.
            Some(AgreementType::EventBased | AgreementType::Other) | None => OTHERS,
        };
        Self { members, needed }
    }

    /// Reads the member at `path`, which is `agreement.` and its name.
    fn read<T>(
        &self,
        fields: &mut Fields,
        path: &'static str,
        read: impl FnOnce(&mut Fields, &'static str, &'a RawValue) -> Option<T>,
    ) -> Option<T> {
        let name = path.strip_prefix("agreement.").unwrap_or(path);
        let raw = self.members.get(name);
        if self.needed.contains(&name) {
            fields.required(path, raw, read)
        } else {
            fields.optional(path, raw, read)
        }
    }

    fn word<T>(
        &self,
        fields: &mut Fields,
        path: &'static str,
        words: &'static [&'static str],
        parse: fn(&str) -> Option<T>,
    ) -> Option<T> {
        self.read(fields, path, |f, p, r| f.word(p, r, words, parse))
    }

    fn date(&self, fields: &mut Fields, path: &'static str) -> Option<Date> {
        self.read(fields, path, |f, p, r| f.date(p, r).and_then(|text| Date::parse(&text)))
    }

    fn integer(&self, fields: &mut Fields, path: &'static str, limits: RangeInclusive<u16>) -> Option<u16> {
        self.read(fields, path, |f, p, r| f.integer(p, r, limits))
    }
}

/// What an agreement is checked against.
pub(crate) struct AgreementContext<'a> {
    /// The currency of the transaction, if it could be read.
    pub(crate) currency: Option<Currency>,
    /// What the merchant configured.
    pub(crate) permitted: &'a AgreementSettings,
}

/// Reads `agreement`.
pub(crate) fn read(
    fields: &mut Fields,
    path: &'static str,
    raw: &RawValue,
    context: &AgreementContext<'_>,
) -> Option<Agreement> {
    let members = fields.object(path, raw, MAX_BYTES)?;
    let reader = AgreementReader::new(members);
    let has_type = reader.members.get("type").is_some_and(|raw| !is_blank(raw));
    let id = reader.read(fields, "agreement.id", |f, p, r| f.line(p, r, 128));
    // One that cannot be read is reported itself, and the agreement is refused.
    let kind = reader.word(fields, "agreement.type", AgreementType::WORDS, AgreementType::parse);
    let is_readable = kind.is_some() || !has_type;
    let agreement = Agreement {
        id,
        kind: kind.unwrap_or(if has_type { AgreementType::Other } else { AgreementType::Recurring }),
        amount_variability: reader.word(
            fields,
            "agreement.amount_variability",
            Variability::WORDS,
            Variability::parse,
        ),
        cycle_interval_days: reader.integer(fields, "agreement.cycle_interval_days", 1..=366),
        expiry_date: reader.date(fields, "agreement.expiry_date"),
        start_date: reader.date(fields, "agreement.start_date"),
        frequency: reader.word(fields, "agreement.frequency", Frequency::WORDS, Frequency::parse),
        max_amount_per_cycle: reader.read(fields, "agreement.max_amount_per_cycle", |f, p, r| {
            f.amount(p, r, context.currency).and_then(|amount| MostPerCycle::parse(&amount.text))
        }),
        total_cycles: reader.integer(fields, "agreement.total_cycles", 1..=999),
        seller: reader
            .read(fields, "agreement.seller", read_seller)
            .filter(|seller| *seller != Seller::default()),
        extra_params: reader
            .read(fields, "agreement.extra_params", read_extra_params)
            .filter(|params| params.payment_processing_day.is_some()),
    };
    check_dates(fields, &agreement);
    if is_readable {
        check_permitted(fields, &agreement, context.permitted);
    }
    is_readable.then_some(agreement)
}

/// What the merchant's settings permit: unscheduled agreements are configured per merchant.
fn check_permitted(fields: &mut Fields, agreement: &Agreement, permitted: &AgreementSettings) {
    let kind = agreement.kind;
    if !permitted.types.is_empty() && !permitted.types.contains(&kind) {
        fields.violation("agreement.type", not_permitted(permitted.types.iter().map(|one| one.as_str())));
    }
    if kind != AgreementType::Unscheduled {
        return;
    }
    if let Some(id) = &agreement.id
        && !permitted.unscheduled_ids.is_empty()
        && !permitted.unscheduled_ids.contains(id)
    {
        fields.violation("agreement.id", Rule::NotPermitted(permitted.unscheduled_ids.clone()));
    }
    let frequencies = &permitted.unscheduled_frequencies;
    if agreement.frequency.is_some_and(|frequency| !frequencies.contains(&frequency)) {
        fields.violation("agreement.frequency", not_permitted(frequencies.iter().map(|one| one.as_str())));
    }
}

fn not_permitted(permitted: impl Iterator<Item = &'static str>) -> Rule {
    Rule::NotPermitted(permitted.map(Into::into).collect())
}

fn check_dates(fields: &mut Fields, agreement: &Agreement) {
    if let (Some(start), Some(end)) = (agreement.start_date, agreement.expiry_date)
        && end < start
    {
        fields.violation("agreement.expiry_date", Rule::Before("start_date"));
    }
}

fn read_seller(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Seller> {
    let members = fields.object(path, raw, MAX_BYTES)?;
    let mut member = |name: &str, path: &'static str, read: fn(&mut Fields, &'static str, &RawValue) -> _| {
        fields.optional(path, members.get(name), read)
    };
    Some(Seller {
        name: member("name", "agreement.seller.name", |f, p, r| f.line(p, r, 128)),
        short_name: member("short_name", "agreement.seller.short_name", |f, p, r| f.line(p, r, 64)),
        category_code: member("category_code", "agreement.seller.category_code", read_category_code),
    })
}

/// Decision: the code of a merchant category is four digits (ISO 18245); anything else would be refused by
/// the bank later.
fn read_category_code(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<String> {
    let code = fields.line(path, raw, 64)?;
    noted::note(path, &Noted::Matching("^[0-9]{4}$"));
    let is_code = code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_digit());
    if is_code { Some(code) } else { fields.refuse(path, Rule::NotCategoryCode) }
}

fn read_extra_params(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<ExtraParams> {
    let members = fields.object(path, raw, MAX_BYTES)?;
    let payment_processing_day = fields.optional(
        "agreement.extra_params.payment_processing_day",
        members.get("payment_processing_day"),
        |f, p, r| f.integer(p, r, 1..=31),
    );
    Some(ExtraParams { payment_processing_day })
}
