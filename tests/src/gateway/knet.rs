//! KNET's raw hosted page: the order comes encrypted with the payer's browser, and inquiries and refunds go from server to
//! server as fragments of XML. There is no manual in public: this is what several public integrations do.

use std::time::Duration;

use aes::Aes128;
use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockDecryptMut, BlockEncryptMut, KeyIvInit};
use checkout_core::gateway::charge::ChargeOperation;
use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use checkout_core::testing::clock::ManualClock;
use checkout_core::value::money::{Currency, Money};
use checkout_core::value::time::Timestamp;
use checkout_core::words::ChildOperation;
use sandbox_bank::charge::ChargeStatus;
use serde_json::{Value, json};

use super::ledger::{Charge, Ledger, Move, Opening};
use super::message::{field, header, message, pairs};
use super::{Exclusive, Gateway, Notice};

const TRANPORTAL: &str = "900100200";
const PASSWORD: &str = "Exm9pl";
const KEY: &str = "Q7w2Er9TyU4iOp1Z";
/// How long the page can be paid.
const PAGE: Duration = Duration::from_mins(30);

/// KNET with one terminal.
#[derive(Debug)]
pub struct Knet {
    ledger: Ledger,
    origin: String,
}

/// Encrypts as the terminal does: the vector is the key.
fn encrypt(key: &str, text: &str) -> String {
    let cipher = cbc::Encryptor::<Aes128>::new_from_slices(key.as_bytes(), key.as_bytes()).unwrap();
    hex::encode_upper(cipher.encrypt_padded_vec_mut::<Pkcs7>(text.as_bytes()))
}

fn decrypt(digits: &str) -> Option<String> {
    let bytes = hex::decode(digits).ok()?;
    let cipher = cbc::Decryptor::<Aes128>::new_from_slices(KEY.as_bytes(), KEY.as_bytes()).ok()?;
    String::from_utf8(cipher.decrypt_padded_vec_mut::<Pkcs7>(&bytes).ok()?).ok()
}

/// The fields of a joined text, whose values are not encoded.
fn joined(text: &str) -> Vec<(String, String)> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_owned(), value.to_owned())
    };
    text.split('&').map(pair).collect()
}

/// The value of an element.
fn element<'x>(xml: &'x str, name: &str) -> &'x str {
    let inner = xml.split_once(&format!("<{name}>")).map(|(_, rest)| rest);
    inner.and_then(|rest| rest.split_once(&format!("</{name}>"))).map_or("", |(value, _)| value)
}

fn fragments(members: &[(&str, &str)]) -> Incoming {
    let parts: Vec<String> =
        members.iter().map(|(name, value)| format!("<{name}>{value}</{name}>")).collect();
    message(200, &[("content-type", "text/xml")], parts.concat().into_bytes())
}

fn fault(code: &str, text: &str) -> Incoming {
    fragments(&[("result", &format!("!ERROR!-{code}-{text}")), ("error_code_tag", code)])
}

fn not_found() -> Incoming {
    fault("IPAY0100263", "Transaction not found.")
}

fn dinars(minor: i64) -> Money {
    Money::new(minor, Currency::parse("KWD").unwrap()).unwrap()
}

/// An amount as KNET takes it: dinars with three decimals.
fn amount(text: &str) -> Option<Money> {
    let decimals = text.split_once('.').map(|(_, decimals)| decimals.len());
    Money::parse(text, Currency::parse("KWD")?).ok().filter(|_| decimals == Some(3))
}

impl Knet {
    /// A terminal at a host of this name.
    #[must_use]
    pub fn new(clock: &ManualClock, name: &str) -> Self {
        Self { ledger: Ledger::new(clock, name), origin: format!("https://knet-{name}.example.com") }
    }

    /// The browser brings an order; the reference of its charge.
    fn begin(&self, query: &[(String, String)]) -> Option<String> {
        let order = joined(&decrypt(field(query, "trandata")?)?);
        let get = |name: &str| field(&order, name).unwrap_or_default();
        let track_id = get("trackid");
        let is_plain =
            (1..=40).contains(&track_id.len()) && track_id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_url = |name: &str| {
            let url = get(name);
            url.starts_with("https://")
                && url.len() <= 255
                && !url.contains('?')
                && field(query, name) == Some(url)
        };
        let is_order = (get("id"), get("password"), get("action"), get("currencycode"))
            == (TRANPORTAL, PASSWORD, "1", "414")
            && field(query, "tranportalId") == Some(TRANPORTAL);
        let asked = amount(get("amt"));
        let (Some(asked), true) =
            (asked, is_plain && is_order && is_url("responseURL") && is_url("errorURL"))
        else {
            self.ledger.protest(format!("KNET cannot take the order {order:?}"));
            return None;
        };
        if self.ledger.find(track_id).is_none() {
            self.ledger.open(Opening {
                reference: track_id.into(),
                asked,
                operation: ChargeOperation::Purchase,
                page: Some(PAGE),
                saves_card: false,
                card: Value::Null,
                memo: json!({"udf1": get("udf1"), "udf2": get("udf2")}),
            });
        }
        Some(track_id.to_owned())
    }

    /// What KNET says of a payment, as a report and as the answer to an inquiry.
    fn facts(charge: &Charge) -> Vec<(&'static str, String)> {
        let is_good = charge.status == ChargeStatus::Approved;
        let (result, code) = match charge.status {
            ChargeStatus::Approved => ("CAPTURED", "00"),
            ChargeStatus::Canceled => ("CANCELED", ""),
            ChargeStatus::Processing | ChargeStatus::Open | ChargeStatus::Challenged => ("HOST TIMEOUT", ""),
            ChargeStatus::Declined => ("NOT CAPTURED", "51"),
        };
        let number = charge.number;
        let paid = if is_good { dinars(charge.taken) } else { charge.asked };
        let auth = if is_good { "B24047" } else { "" };
        vec![
            ("result", result.to_owned()),
            ("auth", auth.to_owned()),
            ("ref", format!("632500{number:06}")),
            ("tranid", if is_good { format!("2026325{number:08}") } else { String::new() }),
            ("postdate", "0101".to_owned()),
            ("trackid", charge.reference.clone()),
            ("udf1", charge.memo("udf1").to_owned()),
            ("udf2", charge.memo("udf2").to_owned()),
            ("amt", paid.to_string()),
            ("authRespCode", code.to_owned()),
        ]
    }

    fn inquire(charge: &Charge, asked: Option<Money>) -> Incoming {
        if asked != Some(charge.asked) {
            return fragments(&[("result", "FAILURE(SUSPECT)"), ("trackid", &charge.reference)]);
        }
        let mut facts = Self::facts(charge);
        if charge.status != ChargeStatus::Approved {
            for (_, value) in facts.iter_mut().filter(|(name, _)| *name == "result") {
                *value = format!("FAILURE({value})");
            }
        }
        let payment = format!("1002026{:08}", charge.number);
        facts.extend([("payid", payment), ("udf5", "TrackID".to_owned())]);
        let members: Vec<(&str, &str)> = facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
        fragments(&members)
    }

    /// KNET has no key that would stop a second refund.
    fn refund(&self, charge: &Charge, asked: Option<Money>) -> Incoming {
        let name = format!("{}-{}", charge.reference, self.ledger.next());
        let amount = asked.map_or(0, |money| money.minor());
        if self.ledger.operate(ChildOperation::Refund, charge, &name, amount).is_none() {
            return fault("IPAY0300024", "Refund amount exceeds.");
        }
        let payment = format!("1002026{:08}", charge.number);
        fragments(&[
            ("result", "CAPTURED"),
            ("auth", "R10001"),
            ("ref", "632500000900"),
            ("postdate", "0101"),
            ("tranid", "202632500000900"),
            ("trackid", &charge.reference),
            ("payid", &payment),
            ("amt", &dinars(amount).to_string()),
        ])
    }
}

impl Gateway for Knet {
    fn origin(&self) -> &str {
        &self.origin
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn settings(&self) -> Value {
        json!({
            "connector": "knet", "pg_name": "kpay", "currencies": ["KWD"], "wallets": [], "operations": ["refund"],
            "endpoint": self.origin,
            "credentials": {"tranportal_id": TRANPORTAL, "password": PASSWORD, "resource_key": KEY},
        })
    }

    fn answer(&self, request: &Outgoing) -> Incoming {
        let path = request.url.strip_prefix(&self.origin);
        let is_pipe =
            path.is_some_and(|path| path.trim_end_matches('&') == "/kpg/tranPipe.htm?param=tranInit");
        let text = String::from_utf8_lossy(&request.body).into_owned();
        let get = |name: &str| element(&text, name);
        let is_asked = header(request, "content-type") == Some("application/xml")
            && request.method == HttpMethod::Post
            && (get("id"), get("password"), get("udf5")) == (TRANPORTAL, PASSWORD, "TrackID")
            && get("transid") == get("trackid");
        if !is_pipe || !is_asked {
            self.ledger.protest(format!("KNET cannot read {} {text}", request.url));
            return fault("IPAY0100215", "Invalid Tranportal ID.");
        }
        let charge = self.ledger.seen(get("transid"));
        // Nothing is found of what nobody has paid, or has given up.
        let is_tried =
            |charge: &Charge| !matches!(charge.status, ChargeStatus::Open | ChargeStatus::Canceled);
        let Some(charge) = charge.filter(is_tried) else { return not_found() };
        match get("action") {
            "8" => Self::inquire(&charge, amount(get("amt"))),
            "2" => self.refund(&charge, amount(get("amt"))),
            _ => fault("IPAY0100208", "Action not supported."),
        }
    }

    fn is_opening(&self, _: &Outgoing) -> bool {
        false
    }

    fn is_operation(&self, request: &Outgoing) -> bool {
        String::from_utf8_lossy(&request.body).contains("<action>2</action>")
    }

    fn refusal(&self) -> Incoming {
        fault("IPAY0100208", "Action not supported.")
    }

    fn open_page(&self, url: &str) -> Option<String> {
        let query = url.strip_prefix(&self.origin)?.strip_prefix("/kpg/PaymentHTTP.htm?")?;
        self.begin(&pairs(query.as_bytes()))
    }

    fn pay(&self, reference: &str, end: ChargeStatus, taken: Option<i64>) {
        let _ = self.ledger.end(reference, end, taken);
    }

    fn exclusive(&self) -> Exclusive {
        Exclusive::Never
    }

    fn knows_only_paid(&self) -> bool {
        true
    }

    fn names(&self, _: ChildOperation) -> bool {
        false
    }

    fn has_account_address(&self) -> bool {
        false
    }

    /// That the payer gave up is recorded from the report itself.
    fn notice(&self, charge: &Charge) -> Option<Notice> {
        let mut facts = Self::facts(charge);
        facts.insert(0, ("paymentid", format!("1002026{:08}", charge.number)));
        let pairs: Vec<String> =
            facts.iter().map(|(name, value)| format!("{name}={}", value.replace(' ', "+"))).collect();
        let is_outcome = charge.status == ChargeStatus::Canceled;
        Some(Notice { body: pairs.join("&").into_bytes(), is_outcome })
    }

    fn operation_notice(&self, _: &Move) -> Option<Notice> {
        None
    }

    fn seal(&self, body: &[u8], _: Timestamp) -> Incoming {
        sealed(KEY, body)
    }

    fn forge(&self, body: &[u8], _: Timestamp) -> Incoming {
        sealed("the0key0of0thief", body)
    }
}

fn sealed(key: &str, body: &[u8]) -> Incoming {
    let digits = encrypt(key, &String::from_utf8_lossy(body));
    let form = format!("trandata={digits}");
    message(0, &[("content-type", "application/x-www-form-urlencoded")], form.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two public libraries and openssl agree on it.
    #[test]
    fn the_cipher_is_that_of_a_known_vector() {
        assert_eq!(encrypt(KEY, "amt=1.500"), "4185CE05CBC15AAD3AA7B2D4C47F7891");
        assert_eq!(decrypt("4185ce05cbc15aad3aa7b2d4c47f7891").as_deref(), Some("amt=1.500"));
    }
}
