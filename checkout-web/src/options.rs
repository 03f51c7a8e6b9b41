//! The data that the page hands to the module when it starts: one text, written by `www/boot.js` from the document
//! as the query of an address is. So the module needs no reader of JavaScript objects, a quarter of its size.

use checkout_core::gateway::terms::Terms;
use checkout_core::strings::screen::PageStatus;
use checkout_core::value::id::{PgCode, SessionId};
use checkout_core::words::Language;
use checkout_core::words::payment_type::PaymentType;

use crate::amount::Amount;

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
    pub remaining: Option<i64>,
    /// Whether the checkbox that saves the card is ticked.
    pub saves_card: bool,
    /// Which text the payer agrees to.
    pub consent: Option<String>,
    /// The method that is chosen; the browser may have kept an earlier choice after a reload.
    pub chosen: Option<PgCode>,
    /// The amount field, if there is one.
    pub amount: Option<Amount>,
    /// What the page shows that each method costs, as its form says it.
    pub prices: Vec<String>,
    /// The methods.
    pub methods: Vec<Method>,
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

impl Options {
    /// Reads the data of a page.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, &'static str> {
        let fields: Vec<_> = form_urlencoded::parse(text.as_bytes()).collect();
        let field = |name: &str| {
            let (_, value) = fields.iter().find(|(found, _)| found == name)?;
            Some(value.as_ref())
        };
        let chosen = field("chosen").map(|code| PgCode::parse(code).ok_or("chosen must be a code"));
        let typed = field("typed").map(|typed| {
            Amount::of(typed, field("currency").unwrap_or_default(), field("most").unwrap_or_default())
        });
        let methods = fields.iter().filter(|(name, _)| name == "method");
        let status = field("status").unwrap_or_default();
        Ok(Self {
            language: field("language").and_then(Language::parse).ok_or("language must be a language")?,
            session_id: field("session_id").and_then(SessionId::parse).ok_or("session_id must be an id")?,
            payment_type: match field("payment_type") {
                Some(word) => PaymentType::parse(word).ok_or("payment_type must be a type")?,
                None => PaymentType::default(),
            },
            status: PageStatus::parse(status).ok_or("status must be a status of the page")?,
            status_url: field("status_url").ok_or("status_url is missing")?.into(),
            moved_at: field("moved_at").map(Into::into),
            pay_url: field("pay_url").map(Into::into),
            asks: field("asks").and_then(|text| text.parse().ok()).unwrap_or(0),
            remaining: field("remaining").and_then(|text| text.parse().ok()),
            saves_card: field("saves_card") == Some("true"),
            consent: field("consent").map(Into::into),
            chosen: chosen.transpose()?,
            amount: typed.transpose()?,
            prices: fields
                .iter()
                .filter(|(name, _)| name == "shown")
                .map(|(_, line)| line.to_string())
                .collect(),
            methods: methods.map(|(_, line)| Method::read(line)).collect::<Result<_, _>>()?,
        })
    }
}

impl Method {
    /// Reads a method: its code, its face or `-`, and its terms if the payer may choose the amount.
    fn read(line: &str) -> Result<Self, &'static str> {
        let (code, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (face, terms) = rest.split_once(' ').unwrap_or((rest, ""));
        Ok(Self {
            code: PgCode::parse(code).ok_or("a method must have a code")?,
            face: face.parse().ok(),
            terms: match terms {
                "" => None,
                terms => Some(Terms::parse(terms).ok_or("terms must be terms of a gateway")?),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "language=en&session_id=0000000000000000000000000000000000000000&status=payable&status_url=%2Fs%2F\
        &method=knet+0+KWD+KWD+0.250+0&method=mpgs+-+KWD+KWD+0.000+2&chosen=knet&typed=4.5&currency=KWD&most=10.000";

    #[test]
    fn the_data_of_a_page_is_read() {
        let options = Options::read(PAGE).unwrap();
        assert_eq!((options.status, options.status_url.as_str()), (PageStatus::Payable, "/s/"));
        let methods: Vec<_> =
            options.methods.iter().map(|method| (method.code.as_str(), method.face)).collect();
        assert_eq!(methods, [("knet", Some(0)), ("mpgs", None)]);
        assert!(options.methods.iter().all(|method| method.terms.is_some()) && options.amount.is_some());
        assert_eq!((options.saves_card, options.asks, options.remaining), (false, 0, None));
    }

    #[test]
    fn data_that_is_not_of_a_page_is_refused() {
        for (right, wrong) in [
            ("language=en", "language=fr"),
            ("language=en", ""),
            ("status=payable", "status=later"),
            ("chosen=knet", "chosen=a+b"),
            ("+KWD+KWD+0.250+0", "+KWD+KWD"),
            ("most=10.000", "most=ten"),
            ("session_id=00", "session_id="),
        ] {
            assert!(Options::read(&PAGE.replacen(right, wrong, 1)).is_err(), "{wrong}");
        }
    }
}
