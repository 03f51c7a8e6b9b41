//! The bank as a lender, which says before a payment whether it takes it (`docs/sandbox.md`). The last two digits of the
//! total in minor units decide, or the last four of the payer's phone number.

use alloc::format;
use alloc::string::String;

use checkout_core::value::money::{Currency, Money};
use checkout_core::wire::json::text_of;
use checkout_core::wire::members::Members;

use crate::reply::{FAULT, Reply, json, refused};

/// Whether it lends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferRequest {
    total: Money,
    phone: String,
}

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Lends,
    Refuses(&'static str),
    Slow,
    Broken,
}

impl OfferRequest {
    /// The request in a body.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Reply> {
        let members = Members::read(body).unwrap_or_default();
        let text = |name: &str| Some(text_of(members.get(name)?)?.into_owned());
        let currency = text("currency").and_then(|code| Currency::parse(&code));
        let total = currency.and_then(|currency| Money::parse(&text("amount")?, currency).ok());
        let total = total.ok_or_else(|| refused(400, "amount and currency must be an amount"))?;
        Ok(Self { total, phone: text("phone").unwrap_or_default() })
    }

    fn mood(&self) -> Mood {
        let ending = self.total.minor().checked_rem(100).unwrap_or_default();
        match (ending, self.phone.get(self.phone.len().saturating_sub(4)..)) {
            (31, _) | (_, Some("0031")) => Mood::Refuses("not_eligible"),
            (33, _) => Mood::Refuses("too_small"),
            (35, _) => Mood::Refuses("too_large"),
            (37, _) | (_, Some("0037")) => Mood::Slow,
            (39, _) | (_, Some("0039")) => Mood::Broken,
            (_, _) => Mood::Lends,
        }
    }

    /// What it answers.
    pub(crate) fn answer(&self) -> Reply {
        let lends = || json(200, labels(self.total).into_bytes());
        match self.mood() {
            Mood::Lends => lends(),
            Mood::Refuses(reason) => {
                json(200, format!(r#"{{"is_available":false,"reason":"{reason}"}}"#).into_bytes())
            }
            Mood::Slow => match lends() {
                Reply::Answer(answer) => Reply::Late(answer),
                other @ (Reply::Late(_) | Reply::Silence) => other,
            },
            Mood::Broken => refused(500, FAULT),
        }
    }
}

/// Four payments without interest, if the total can be divided, and one later.
fn labels(total: Money) -> String {
    let code = total.currency().code();
    let part =
        total.minor().checked_rem(4).filter(|rest| *rest == 0).and_then(|_| total.minor().checked_div(4));
    let part = part.and_then(|minor| Money::new(minor, total.currency()).ok());
    let four = part.map(|part| {
        format!(
            r#"{{"payment_type":"PAY_BY_INSTALMENTS","instalment":4,"description_en":"4 payments of {part} {code}, no interest","description_ar":"4 دفعات، كل منها {part} {code}، بلا فوائد"}},"#
        )
    });
    let four = four.unwrap_or_default();
    format!(
        r#"{{"is_available":true,"labels":[{four}{{"payment_type":"PAY_NEXT_MONTH","instalment":1,"description_en":"Pay next month","description_ar":"ادفع الشهر القادم"}}]}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(amount: &str, phone: &str) -> OfferRequest {
        let body = format!(r#"{{"amount":"{amount}","currency":"KWD","phone":"{phone}"}}"#);
        OfferRequest::read(body.as_bytes()).unwrap()
    }

    #[test]
    fn the_total_or_the_phone_number_decides() {
        for (amount, phone, mood) in [
            ("10.000", "+96550001234", Mood::Lends),
            ("10.031", "+96550001234", Mood::Refuses("not_eligible")),
            ("10.000", "+96550000031", Mood::Refuses("not_eligible")),
            ("10.033", "", Mood::Refuses("too_small")),
            ("10.035", "", Mood::Refuses("too_large")),
            ("10.037", "", Mood::Slow),
            ("10.000", "+96550000037", Mood::Slow),
            ("10.039", "", Mood::Broken),
            ("10.000", "+96550000039", Mood::Broken),
            ("10.000", "1", Mood::Lends),
        ] {
            assert_eq!(asked(amount, phone).mood(), mood, "{amount} {phone}");
        }
    }

    #[test]
    fn four_payments_are_offered_where_they_are_equal() {
        let said = |amount: &str| match asked(amount, "").answer() {
            Reply::Answer(answer) => String::from_utf8(answer.body).unwrap(),
            Reply::Late(_) | Reply::Silence => panic!("no answer"),
        };
        assert!(said("10.000").contains("4 payments of 2.500 KWD"));
        assert!(!said("10.002").contains("4 payments"));
        assert!(OfferRequest::read(b"{}").is_err());
    }
}
