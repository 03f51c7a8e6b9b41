//! The required fields of a create request.

use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::draft::request::DraftRequest;
use crate::settings::MAX_GATEWAYS;
use crate::value::id::PgCode;
use crate::value::money::{Currency, Money};
use crate::violation::Rule;
use crate::wire::field::{Fields, is_blank};
use crate::wire::noted::{self, Noted};
use crate::words::Plugin;
use crate::words::payment_type::PaymentType;

/// A gateway code with its position in the list.
pub(super) struct PlacedCode {
    pub(super) place: usize,
    pub(super) code: PgCode,
}

/// The required fields and the payment type, as far as they can be read, in the order of [`ESSENTIAL`].
pub(super) struct Essentials {
    pub(super) plugin: Option<Plugin>,
    pub(super) currency: Option<Currency>,
    pub(super) amount: Option<Money>,
    /// The codes that can be read.
    pub(super) pg_codes: Vec<PlacedCode>,
    /// `None` if it cannot be read.
    pub(super) payment_type: Option<PaymentType>,
}

/// The order in which the required fields are reported, and what they depend on.
const ESSENTIAL: [&str; 5] = ["type", "currency_code", "amount", "pg_codes", "payment_type"];

pub(super) fn place(path: &str) -> Option<usize> {
    let field = path.split_once('.').map_or(path, |(field, _)| field);
    ESSENTIAL.iter().position(|name| *name == field)
}

impl Essentials {
    pub(super) fn read(fields: &mut Fields, request: &DraftRequest<'_>) -> Self {
        let plugin =
            fields.required("type", request.kind, |f, p, raw| f.word(p, raw, Plugin::WORDS, Plugin::parse));
        let currency = fields.required("currency_code", request.currency_code, Fields::currency);
        let payment_type = match request.payment_type.filter(|raw| !is_blank(raw)) {
            None => Some(PaymentType::default()),
            Some(raw) => fields.word("payment_type", raw, PaymentType::WORDS, PaymentType::parse),
        };
        let amount = fields.required("amount", request.amount, |f, p, raw| match payment_type {
            Some(PaymentType::OneOff | PaymentType::AutoDebit) => f.amount(p, raw, currency)?.money,
            Some(kind @ PaymentType::SaveCard) => match f.any_amount(p, raw, currency)? {
                amount if amount.value.is_zero() => amount.money,
                _ => f.refuse(p, Rule::NotZero(kind)),
            },
            // It is not known whether the amount was meant to be zero.
            None => f.any_amount(p, raw, currency)?.money,
        });
        let pg_codes = fields.required("pg_codes", request.pg_codes, read_codes).unwrap_or_default();
        Self { plugin, currency, amount, pg_codes, payment_type }
    }
}

/// The codes that can be read; what is wrong with the others is noted.
fn read_codes(fields: &mut Fields, path: &'static str, raw: &RawValue) -> Option<Vec<PlacedCode>> {
    noted::items(path, &Noted::Code);
    let items = fields.list(path, raw, MAX_GATEWAYS)?;
    let mut codes: Vec<PlacedCode> = Vec::with_capacity(items.len());
    for (place, item) in items.into_iter().enumerate() {
        let code = Fields::decode_text(item)
            .and_then(|text| PgCode::parse(&text).ok_or(Rule::NotGatewayCode))
            .and_then(|code| {
                if codes.iter().any(|known| known.code == code) { Err(Rule::Repeated) } else { Ok(code) }
            });
        match code {
            Ok(code) => codes.push(PlacedCode { place, code }),
            Err(rule) => fields.violation(alloc::format!("{path}.{place}"), rule),
        }
    }
    Some(codes)
}
