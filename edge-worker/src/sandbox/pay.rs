//! The bank's payment page as a payer uses it: what is posted becomes a step of the charge, and once the bank
//! is done the browser goes back to Till.

use checkout_core::port::PortError;
use checkout_core::words::Language;

use super::card::TestCard;
use super::charge::{Charge, Command, Status, step};
use super::document::{method_not_allowed, see_other};
use super::pay_page::{FormError, address, render, render_not_found};
use super::{Sandbox, SandboxReply, SandboxRequest, ledger};

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
    let Some(charge) = ledger::find(sandbox.db, id).await? else {
        return Ok(render_not_found(language.unwrap_or_default()));
    };
    let language = language.unwrap_or(charge.terms.language);
    if is_posted {
        take_form(sandbox, request, &charge, language).await
    } else {
        Ok(render(&charge, language, None))
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
    let command = match read_command(&request.form()) {
        Ok(command) => command,
        Err(error) => return Ok(render(charge, language, Some(&error))),
    };
    // 3
    let Some(taken) = step(charge, command) else {
        return Ok(go_on(charge, language));
    };
    Ok(match ledger::take_step(sandbox.db, charge, &taken, sandbox.now).await? {
        Some(charge) => {
            let callbacks =
                core::iter::repeat_n(charge.callback(sandbox.public_url), taken.callbacks).collect();
            SandboxReply { callbacks, ..go_on(&charge, language) }
        }
        // Of two clicks, the other one came first: its outcome counts.
        None => see_other(address(charge, language)),
    })
}

/// 4. To the page again while it waits for the payer, else back to Till.
fn go_on(charge: &Charge, language: Language) -> SandboxReply {
    match charge.status {
        Status::Open | Status::Challenged => see_other(address(charge, language)),
        Status::Processing | Status::Approved | Status::Declined | Status::Canceled => {
            see_other(charge.terms.return_url.clone())
        }
    }
}

fn read_command(form: &[(String, String)]) -> Result<Command, FormError> {
    if let Some(name) = CARD_FIELDS.into_iter().find(|name| form.iter().any(|(known, _)| known == name)) {
        return Err(FormError::CardData(name));
    }
    let value = |name: &str| form.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    match value("action") {
        Some("pay") => {
            value("card").and_then(TestCard::find).map(Command::Pay).ok_or(FormError::UnlistedCard)
        }
        Some("confirm") => Ok(Command::Confirm),
        Some("fail") => Ok(Command::Fail),
        Some("cancel") => Ok(Command::Cancel),
        Some(_) | None => Err(FormError::UnknownAction),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(form: &[(&str, &str)]) -> Result<Command, FormError> {
        read_command(&form.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect::<Vec<_>>())
    }

    #[test]
    fn a_listed_card_pays() {
        let command = read(&[("action", "pay"), ("card", "visa-approve")]);
        assert_eq!(command, Ok(Command::Pay(TestCard::find("visa-approve").unwrap())));
    }

    #[test]
    fn no_other_card_pays() {
        for card in ["", "visa", "4111111111111111", "visa-approve "] {
            assert_eq!(read(&[("action", "pay"), ("card", card)]), Err(FormError::UnlistedCard), "{card:?}");
        }
        assert_eq!(read(&[("action", "pay")]), Err(FormError::UnlistedCard));
    }

    #[test]
    fn a_field_with_card_data_is_refused_by_name_even_beside_a_listed_card() {
        for name in CARD_FIELDS {
            let form = [("action", "pay"), ("card", "visa-approve"), (name, "4111111111111111")];
            assert_eq!(read(&form), Err(FormError::CardData(name)));
        }
    }

    #[test]
    fn only_the_buttons_of_the_page_act() {
        assert_eq!(read(&[("action", "cancel")]), Ok(Command::Cancel));
        assert_eq!(read(&[("action", "confirm")]), Ok(Command::Confirm));
        assert_eq!(read(&[("action", "fail")]), Ok(Command::Fail));
        assert_eq!(read(&[("action", "refund")]), Err(FormError::UnknownAction));
        assert_eq!(read(&[]), Err(FormError::UnknownAction));
    }
}
