//! The forms in which gateways take data of the payer, as they publish them: the whole request is refused for another.

use serde_json::Value;

use super::message::Asked;

/// The first field of a request in a form that Mastercard's gateway does not take.
#[must_use]
pub fn unfit_for_mpgs(asked: &Asked) -> Option<&'static str> {
    let limits = [
        ("/customer/firstName", 50),
        ("/customer/lastName", 50),
        ("/billing/address/street", 100),
        ("/billing/address/street2", 100),
        ("/billing/address/city", 100),
        ("/billing/address/stateProvince", 20),
        ("/order/reference", 40),
        ("/order/description", 127),
    ];
    let too_long = limits.into_iter().find(|(path, most)| {
        asked.json.pointer(path).is_some_and(|value| {
            let count = value.as_str().unwrap_or_default().chars().count();
            count == 0 || count > *most
        })
    });
    let given = |path: &'static str| asked.json.pointer(path).and_then(Value::as_str);
    let other = |path: &'static str, fits: fn(&str) -> bool| {
        given(path).is_some_and(|text| !fits(text)).then_some(path)
    };
    too_long
        .map(|(path, _)| path)
        .or_else(|| other("/customer/phone", is_e123))
        .or_else(|| other("/customer/email", is_email))
        .or_else(|| other("/billing/address/postcodeZip", is_postcode))
        .or_else(|| other("/billing/address/country", |code| code.len() == 3))
}

/// The first field of a request in a form that Adyen does not take.
#[must_use]
pub fn unfit_for_adyen(asked: &Asked) -> Option<&'static str> {
    let given = |path: &'static str| asked.json.pointer(path).and_then(Value::as_str);
    let other = |path: &'static str, fits: &dyn Fn(&str) -> bool| {
        given(path).is_some_and(|text| !fits(text)).then_some(path)
    };
    let is_name = |text: &str| !text.trim().is_empty() && text.chars().count() <= 80;
    let address = asked.json.pointer("/billingAddress");
    let country = given("/billingAddress/country").unwrap_or_default();
    let needs_state = address.is_some() && ["US", "CA"].contains(&country);
    let is_code = |code: &str| match country {
        "US" => code.len() == 5 && code.bytes().all(|byte| byte.is_ascii_digit()),
        _ => (1..=10).contains(&code.chars().count()),
    };
    other("/shopperEmail", &|text| text.len() <= 256 && is_email(text))
        .or_else(|| other("/telephoneNumber", &is_e164))
        .or_else(|| other("/shopperName/firstName", &is_name))
        .or_else(|| other("/shopperName/lastName", &is_name))
        .or_else(|| other("/billingAddress/postalCode", &is_code))
        .or_else(|| {
            other("/billingAddress/stateOrProvince", &|state| {
                (2..=3).contains(&state.len()) && state.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
        })
        .or_else(|| {
            let is_missing = needs_state && given("/billingAddress/stateOrProvince").is_none();
            is_missing.then_some("/billingAddress/stateOrProvince")
        })
}

/// The first field of a request in a form that Checkout.com does not take.
#[must_use]
pub fn unfit_for_checkout_com(asked: &Asked) -> Option<&'static str> {
    let limits = [
        ("/customer/name", 255),
        ("/description", 100),
        ("/reference", 50),
        ("/success_url", 255),
        ("/billing/address/address_line1", 200),
        ("/billing/address/city", 50),
        ("/billing/address/zip", 50),
    ];
    let given = |path: &'static str| asked.json.pointer(path).and_then(Value::as_str);
    let is_too_long = |(path, most): &(&'static str, usize)| {
        given(path).is_some_and(|text| text.trim().is_empty() || text.chars().count() > *most)
    };
    let email = given("/customer/email").is_some_and(|text| text.len() > 255 || !is_email(text));
    let too_long = limits.into_iter().find(is_too_long).map(|(path, _)| path);
    too_long.or_else(|| email.then_some("/customer/email"))
}

/// The first field of a request in a form that Tap does not take.
#[must_use]
pub fn unfit_for_tap(asked: &Asked) -> Option<&'static str> {
    let given = |path: &'static str| asked.json.pointer(path).and_then(Value::as_str);
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_known = given("/customer/id").is_some();
    let has_phone = asked.json.pointer("/customer/phone").is_some();
    let saves = asked.json.pointer("/save_card") == Some(&Value::Bool(true));
    let other = |path: &'static str, fits: &dyn Fn(&str) -> bool| {
        given(path).is_some_and(|text| !fits(text)).then_some(path)
    };
    (!is_known && given("/customer/first_name").is_none_or(str::is_empty))
        .then_some("/customer/first_name")
        .or_else(|| (saves && !is_known && !has_phone).then_some("/customer/phone"))
        .or_else(|| other("/customer/email", &|text| text.len() <= 255 && is_email(text)))
        .or_else(|| other("/customer/phone/country_code", &|code| are_digits(code) && code.len() <= 3))
        .or_else(|| other("/customer/phone/number", &are_digits))
}

/// Whether Stripe takes an e-mail address.
#[must_use]
pub fn fits_stripe(email: &str) -> bool {
    email.len() <= 512 && is_email(email)
}

/// `+`, the code of a country, a space, and a number: at most 15 digits.
fn is_e123(text: &str) -> bool {
    let Some((code, national)) = text.strip_prefix('+').and_then(|rest| rest.split_once(' ')) else {
        return false;
    };
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&code.len())
        && are_digits(code)
        && national.split(' ').all(are_digits)
        && text.bytes().filter(u8::is_ascii_digit).count() <= 15
        && text.len() <= 20
}

/// `+` and the digits of a number with its country.
fn is_e164(text: &str) -> bool {
    text.strip_prefix('+').is_some_and(|digits| {
        (5..=18).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// An address of RFC 5322 as checks of forms have it: ASCII, atoms, and a domain of labels.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let atoms = |part: &str, more: &str| {
        part.split('.').all(|atom| {
            !atom.is_empty() && atom.chars().all(|one| one.is_ascii_alphanumeric() || more.contains(one))
        })
    };
    atoms(local, "!#$%&'*+-/=?^_`{|}~") && atoms(domain, "-") && domain.contains('.')
}

fn is_postcode(code: &str) -> bool {
    (1..=10).contains(&code.len())
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b' ' || byte == b'-')
}
