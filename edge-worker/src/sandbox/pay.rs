//! The bank's payment page as a payer uses it: what is posted becomes a step of the charge, and once the bank
//! is done the browser goes back to Till.

use checkout_core::installation::inbox_name;
use checkout_core::port::PortError;
use checkout_core::words::Language;
use sandbox_bank::bank::Write;
use sandbox_bank::card::TestCard;
use sandbox_bank::charge::{Changed, Charge, PayerAction};

use super::database::{batch, first, statement};
use super::document::{method_not_allowed, see_other};
use super::pay_page::{FormError, address, render, render_not_found};
use super::records::{find_by_id, write};
use super::{Sandbox, SandboxReply, SandboxRequest};

/// Fields in which a form could bring card data. None is ever read.
const CARD_FIELDS: [&str; 11] = [
    "card_number",
    "cardnumber",
    "number",
    "pan",
    "cvv",
    "cvc",
    "csc",
    "card_cvv",
    "expiry",
    "expiry_month",
    "expiry_year",
];

/// Shows the page of a charge, or takes its form.
pub(super) async fn page(
    sandbox: &Sandbox<'_>,
    request: &SandboxRequest<'_>,
    id: &str,
) -> Result<SandboxReply, PortError> {
    let language = request.query_value("language").and_then(|word| Language::parse(&word));
    let is_posted = match request.method {
        "GET" | "HEAD" => false,
        "POST" => true,
        _ => return Ok(method_not_allowed("GET, HEAD, POST")),
    };
    let Some(charge) = find_by_id(sandbox.db, id).await? else {
        return Ok(render_not_found(language.unwrap_or_default()));
    };
    let language = language.unwrap_or(charge.terms.language);
    if is_posted {
        take_form(sandbox, request, &charge, language).await
    } else {
        let inbox = inbox_of(sandbox, &charge).await?;
        Ok(render(&charge, language, inbox.as_deref(), None))
    }
}

/// 1. refuse card data by name  2. read the button  3. take the step, once  4. go on
async fn take_form(
    sandbox: &Sandbox<'_>,
    request: &SandboxRequest<'_>,
    charge: &Charge,
    language: Language,
) -> Result<SandboxReply, PortError> {
    // 1 and 2
    let action = match read_action(&request.form()) {
        Ok(action) => action,
        Err(error) => {
            let inbox = inbox_of(sandbox, charge).await?;
            return Ok(render(charge, language, inbox.as_deref(), Some(&error)));
        }
    };
    // 3
    let Some(Changed { charge: after, callbacks }) = charge.act(action, sandbox.now) else {
        return Ok(go_on(charge, language));
    };
    let step = Write::Change { before: Box::new(charge.clone()), after: Box::new(after.clone()) };
    if !write(sandbox.db, &step).await? {
        // Of two clicks, the other one came first: its outcome counts.
        return Ok(see_other(address(charge, language)));
    }
    let callbacks = core::iter::repeat_n(after.callback(sandbox.public_url), callbacks).collect();
    Ok(SandboxReply { callbacks, ..go_on(&after, language) })
}

/// 4. To the page again while it waits for the payer, else back to Till.
fn go_on(charge: &Charge, language: Language) -> SandboxReply {
    if charge.status.waits_for_payer() {
        see_other(address(charge, language))
    } else {
        see_other(charge.terms.return_url.clone())
    }
}

/// The path of the inbox to which Till notifies the merchant of the payment, if it is one of this installation.
async fn inbox_of(sandbox: &Sandbox<'_>, charge: &Charge) -> Result<Option<String>, PortError> {
    const SQL: &str = "SELECT t.details ->> 'webhook_url' AS url FROM attempt a JOIN txn t ON t.session_id = a.session_id \
         WHERE a.reference = ?1";
    let results = batch(sandbox.db, vec![statement(SQL, &[charge.terms.reference.as_str()])]).await?;
    let Some(row) = first(&results, 0)? else { return Ok(None) };
    let url = row.optional_text("txn.url")?;
    let path = url.as_deref().and_then(|url| url.strip_prefix(sandbox.public_url));
    Ok(path.and_then(inbox_name).map(|name| format!("/sandbox/inbox/{name}/")))
}

fn read_action(form: &[(String, String)]) -> Result<PayerAction, FormError> {
    if let Some(name) = CARD_FIELDS.into_iter().find(|name| form.iter().any(|(known, _)| known == name)) {
        return Err(FormError::CardData(name));
    }
    let value = |name: &str| form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    match value("action") {
        Some("pay") => {
            value("card").and_then(TestCard::find).map(PayerAction::Pay).ok_or(FormError::UnlistedCard)
        }
        Some("confirm") => Ok(PayerAction::Confirm),
        Some("fail") => Ok(PayerAction::Fail),
        Some("cancel") => Ok(PayerAction::Cancel),
        Some(_) | None => Err(FormError::UnknownAction),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(form: &[(&str, &str)]) -> Result<PayerAction, FormError> {
        read_action(&form.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect::<Vec<_>>())
    }

    #[test]
    fn a_listed_card_pays() {
        let action = read(&[("action", "pay"), ("card", "visa-approve")]);
        assert_eq!(action, Ok(PayerAction::Pay(TestCard::find("visa-approve").unwrap())));
    }

    #[test]
    fn no_other_card_pays() {
        for card in ["", "visa", "4111111111111111", "visa-approve "] {
            assert_eq!(read(&[("action", "pay"), ("card", card)]), Err(FormError::UnlistedCard), "{card:?}");
        }
        assert_eq!(read(&[("action", "pay")]), Err(FormError::UnlistedCard));
    }

    #[test]
    fn a_field_with_card_data_is_refused_by_name_even_with_a_listed_card() {
        for name in CARD_FIELDS {
            let form = [("action", "pay"), ("card", "visa-approve"), (name, "4111111111111111")];
            assert_eq!(read(&form), Err(FormError::CardData(name)));
        }
    }

    #[test]
    fn only_the_buttons_of_the_page_act() {
        assert_eq!(read(&[("action", "cancel")]), Ok(PayerAction::Cancel));
        assert_eq!(read(&[("action", "confirm")]), Ok(PayerAction::Confirm));
        assert_eq!(read(&[("action", "fail")]), Ok(PayerAction::Fail));
        assert_eq!(read(&[("action", "refund")]), Err(FormError::UnknownAction));
        assert_eq!(read(&[]), Err(FormError::UnknownAction));
    }
}
