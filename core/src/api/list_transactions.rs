//! `GET /b/checkout/v1/pymt-txn/` lists a merchant's payment transactions, newest first.
//!
//! The request is the query: `cursor` (the `next` of the page before), `limit` (1 to 100, 20 if it is left
//! out), and filters, all of which must fit: `state` (words, repeated or separated by commas: any of them), `created_from`,
//! `created_to`, `paid_from` and `paid_to` (all inclusive, to the second: answers show no more of a moment), `order_no` and
//! `customer_id` (exact), `made_by` (`key:<prefix>` or `user:<id>`), `type`, `pg_code` (a gateway through which it was tried),
//! `currency`, `amount` (exact, with its currency), `has_refund` and `search` (what is known of a payment, see
//! `transaction::listing::search`). What an unknown parameter, a
//! blank one and a repeated one mean is said in `wire::query`.
//!
//! The response is `TransactionPage` in `answer::listing`.

use alloc::vec::Vec;
use core::time::Duration;

use crate::rejection::Rejection;
use crate::route::query::{EXPORT, TRANSACTIONS};
use crate::state::State;
use crate::transaction::listing::search::PaymentSearch;
use crate::transaction::listing::{Between, Listing, ListingFilter, MAX_WALKED, Maker, Position};
use crate::value::id::{MerchantId, PgCode};
use crate::value::money::{Currency, Money};
use crate::value::time::{Date, Timestamp};
use crate::violation::{AccessRule, Rule};
use crate::wire::query::Parameters;
use crate::words::Plugin;

/// The transactions of a page if the request gives no number.
pub const DEFAULT_LIMIT: u32 = 20;

/// The most characters of an order number.
pub const MAX_ORDER_NO_CHARS: usize = 128;
/// The most characters of a customer id.
pub const MAX_CUSTOMER_ID_CHARS: usize = 64;
/// The most characters of a search.
pub const MAX_SEARCH_CHARS: usize = 254;
/// The most characters of an amount.
const MAX_AMOUNT_CHARS: usize = 32;
/// From the first moment of a second to its last.
const REST_OF_A_SECOND: Duration = Duration::from_millis(999);

/// Whose days the filters name.
///
/// Decision: programs name days in UTC, as they write moments; staff name those of the times on their screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayZone {
    /// UTC.
    Utc,
    /// The zone in which the person reads times: the one that they chose, otherwise the merchant's.
    Reader,
}

/// Reads a query; `begins` says when a day begins. Every wrong parameter is reported.
///
/// # Errors
/// [`Rejection::Invalid`] with the violations in the order of the parameters.
pub fn read(
    query: &str,
    merchant: &MerchantId,
    now: Timestamp,
    begins: &dyn Fn(Date) -> Timestamp,
) -> Result<Listing, Rejection> {
    let mut parameters = Parameters::of(query, TRANSACTIONS);
    let after = parameters.read("cursor", Rule::NotCursor, |text| Position::from_cursor(text, merchant));
    let limit = parameters.limit(DEFAULT_LIMIT);
    let filter = filter(&mut parameters, begins);
    if after.as_ref().is_some_and(|after| after.order != filter.order()) {
        parameters.found.add("cursor", Rule::NotCursor);
    }
    parameters.finish()?;
    Ok(Listing { merchant: merchant.clone(), now, after, limit, walked: MAX_WALKED, filter })
}

/// Reads a query of everything that fits: filters without a page.
///
/// # Errors
/// As [`read`].
pub(crate) fn filters(query: &str, begins: &dyn Fn(Date) -> Timestamp) -> Result<ListingFilter, Rejection> {
    let mut parameters = Parameters::of(query, EXPORT);
    let filter = filter(&mut parameters, begins);
    parameters.finish()?;
    Ok(filter)
}

/// The filters.
fn filter(parameters: &mut Parameters<'_>, begins: &dyn Fn(Date) -> Timestamp) -> ListingFilter {
    let states = states(parameters);
    let created = period(parameters, ["created_from", "created_to"], begins);
    let paid = period(parameters, ["paid_from", "paid_to"], begins);
    let order_no = parameters.line("order_no", MAX_ORDER_NO_CHARS);
    let customer_id = parameters.line("customer_id", MAX_CUSTOMER_ID_CHARS);
    let made_by = parameters.read("made_by", Rule::Access(AccessRule::NotMaker), Maker::parse);
    let plugin = parameters.read("type", Rule::OneOf(Plugin::WORDS), Plugin::parse);
    let pg_code = parameters.read("pg_code", Rule::NotGatewayCode, PgCode::parse);
    let currency = parameters.read("currency", Rule::UnknownCurrency, Currency::parse);
    let amount = amount(parameters, currency);
    let has_refund = parameters.read("has_refund", Rule::NotBoolean, |text| text.parse().ok());
    let search = parameters.line("search", MAX_SEARCH_CHARS).map(|text| PaymentSearch::read(&text));
    ListingFilter {
        states,
        created,
        paid,
        order_no,
        customer_id,
        made_by,
        plugin,
        pg_code,
        currency,
        amount,
        has_refund,
        search,
    }
}

/// An amount in a currency that has to be named.
fn amount(parameters: &mut Parameters<'_>, currency: Option<Currency>) -> Option<Money> {
    let text = parameters.line("amount", MAX_AMOUNT_CHARS)?;
    let Some(currency) = currency else {
        if !parameters.found.has("currency") {
            parameters.found.add("amount", Rule::Needs("currency"));
        }
        return None;
    };
    match Money::parse(&text, currency) {
        Ok(amount) => Some(amount),
        Err(error) => {
            parameters.found.add("amount", Rule::Amount(error));
            None
        }
    }
}

/// From the first moment of one day or second to the last of another.
fn period(
    parameters: &mut Parameters<'_>,
    [from, to]: [&'static str; 2],
    begins: &dyn Fn(Date) -> Timestamp,
) -> Between {
    let first_of = |day| Some(begins(day));
    let last_of = |day: Date| {
        let after = day.plus_days(1).map_or(Timestamp::from_millis(i64::MAX), begins);
        Some(after.minus(Duration::from_millis(1)))
    };
    let first = parameters.read(from, Rule::NotDay, |text| moment(text, first_of, Duration::ZERO));
    let last = parameters.read(to, Rule::NotDay, |text| moment(text, last_of, REST_OF_A_SECOND));
    if first.zip(last).is_some_and(|(first, last)| last < first) {
        parameters.found.add(to, Rule::Before(from));
    }
    Between { from: first, to: last }
}

/// A moment of a day, or a second and so much later.
fn moment(
    text: &str,
    of_day: impl Fn(Date) -> Option<Timestamp>,
    within_a_second: Duration,
) -> Option<Timestamp> {
    let second = |at: Timestamp| Timestamp::from_millis(at.seconds().saturating_mul(1_000));
    let named = || Timestamp::parse(text).map(|at| second(at).plus(within_a_second));
    Date::parse(text).and_then(of_day).or_else(named)
}

/// Every state that is named, once.
fn states(parameters: &mut Parameters<'_>) -> Vec<State> {
    let named = parameters.all("state");
    let words = named.iter().flat_map(|value| value.split(','));
    let Some(mut states) = words.map(State::parse).collect::<Option<Vec<State>>>() else {
        parameters.found.add("state", Rule::OneOf(State::WORDS));
        return Vec::new();
    };
    states.sort();
    states.dedup();
    states
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;

    fn demo() -> MerchantId {
        MerchantId::parse("demo").unwrap()
    }

    fn listing(query: &str) -> Listing {
        read(query, &demo(), Timestamp::from_millis(9), &Date::begins_at).unwrap()
    }

    fn wrong(query: &str) -> Vec<String> {
        match read(query, &demo(), Timestamp::from_millis(9), &Date::begins_at) {
            Err(Rejection::Invalid(found)) => found
                .iter()
                .map(|violation| alloc::format!("{} {}", violation.path, violation.rule))
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn without_parameters_the_newest_twenty_are_meant() {
        for query in ["", "cursor=&limit=", "&&", "format=json&_=1700000000&cb=&_=2"] {
            let found = listing(query);
            assert_eq!(
                (found.limit, found.after, found.filter),
                (20, None, ListingFilter::default()),
                "{query}"
            );
            assert_eq!((found.merchant, found.now), (demo(), Timestamp::from_millis(9)));
        }
    }

    #[test]
    fn a_filter_that_is_unknown_or_has_no_value_is_refused_by_name() {
        let all = TRANSACTIONS.names().join(", ");
        for name in [
            "reference_number",
            "customer_email",
            "Order_no",
            "order_no[]",
            "order_no ",
            "%00",
            "language",
            "?",
        ] {
            let name = form_urlencoded::byte_serialize(name.as_bytes()).collect::<String>();
            for value in ["", "=", "=x", "=x&limit=1"] {
                let [found] = wrong(&alloc::format!("{name}{value}")).try_into().unwrap();
                assert!(
                    found.ends_with(&alloc::format!(" is unknown: this address takes the parameters {all}")),
                    "{found}"
                );
            }
        }
        for name in &TRANSACTIONS.names()[2..] {
            let expected = [alloc::format!("{name} must have a value, or be left out")];
            for query in [
                alloc::format!("{name}="),
                alloc::format!("{name}&limit=5"),
                alloc::format!("{name}=&{name}=paid"),
            ] {
                assert_eq!(wrong(&query), expected, "{query}");
            }
        }
        assert_eq!(wrong("format=csv"), ["format must be one of json"]);
        assert_eq!(wrong("=1"), [alloc::format!("? is unknown: this address takes the parameters {all}")]);
        let many = (0..50).map(|place| alloc::format!("x{place}=1&x{place}=2&")).collect::<Vec<_>>().concat();
        assert_eq!(wrong(&many).len(), 10, "an answer is bounded");
        assert!(wrong(&alloc::format!("{}=1", "x".repeat(5_000)))[0].len() < 300);
    }

    #[test]
    fn states_are_repeated_or_separated_by_commas() {
        use State::{Expired, Failed, Paid};
        assert_eq!(listing("state=paid").filter.states, [Paid]);
        assert_eq!(
            listing("state=paid,failed&state=expired&state=paid").filter.states,
            [Paid, Failed, Expired]
        );
        assert_eq!(listing("state=paid%2Cfailed").filter.states, [Paid, Failed]);
        for query in ["state=Paid", "state=paid,", "state=paid&state=lost", "state=,", "state=paid+failed"] {
            let [found] = wrong(query).try_into().unwrap();
            assert!(found.starts_with("state must be one of created, pending"), "{found}");
        }
    }

    #[test]
    fn limits_are_from_one_to_a_hundred() {
        assert_eq!((listing("limit=1").limit, listing("limit=100").limit), (1, 100));
        for text in ["0", "101", "-1", "%2B5", "1.0", "ten", "99999999999", "1%20"] {
            let query = alloc::format!("limit={text}");
            assert_eq!(wrong(&query), ["limit must be a whole number from 1 to 100"], "{text}");
        }
    }

    #[test]
    fn a_date_is_the_whole_day_and_a_moment_itself() {
        let found = listing("created_from=2026-11-21&created_to=2026-11-21");
        let (from, to) = (found.filter.created.from.unwrap(), found.filter.created.to.unwrap());
        assert_eq!(
            (from.to_string(), to.to_string()),
            ("2026-11-21T00:00:00Z".into(), "2026-11-21T23:59:59Z".into())
        );
        assert_eq!(to.millis() - from.millis(), 86_399_999);
        let found =
            listing("created_from=2026-11-21T04:02:03.250%2B03:00&created_to=2026-11-21T01:02:03.250Z");
        let (from, to) = (found.filter.created.from.unwrap(), found.filter.created.to.unwrap());
        assert_eq!(from.to_string(), "2026-11-21T01:02:03Z");
        assert_eq!(to.millis() - from.millis(), 999, "what was created within the second is shown with it");
        let last = listing("created_to=9999-12-31").filter.created.to.unwrap();
        assert_eq!(last.to_string(), "9999-12-31T23:59:59Z");
    }

    #[test]
    fn a_period_does_not_end_before_it_begins() {
        let found = wrong("created_from=2026-11-22&created_to=2026-11-21T23:59:59Z");
        assert_eq!(found, ["created_to must not be before created_from"]);
    }

    #[test]
    fn every_wrong_parameter_is_named_at_once() {
        let query = alloc::format!(
            "search=a%0Ab&has_refund=maybe&amount=1,5&currency=KWDD&pg_code=a%20b&type=shop&made_by=operator:1&customer_id=a%0Ab\
             &order_no={}&paid_from=soon&paid_to=2026-13-01&created_to=tomorrow&created_from=2026-02-30&state=x&limit=0&cursor=x",
            "9".repeat(129)
        );
        let paths: Vec<String> =
            wrong(&query).iter().map(|text| text.split(' ').next().unwrap().to_string()).collect();
        let all = TRANSACTIONS.names().iter().filter(|name| **name != "amount");
        assert!(paths.iter().eq(all), "{paths:?}");
    }

    #[test]
    fn an_amount_is_one_of_its_currency() {
        let found = listing("amount=10.5&currency=KWD").filter;
        let money = found.amount.unwrap();
        assert_eq!((money.minor(), money.currency().code()), (10_500, "KWD"));
        assert_eq!(listing("currency=USD").filter.currency.unwrap().code(), "USD");
        assert_eq!(wrong("amount=10.5"), ["amount needs currency to be given too"]);
        assert_eq!(wrong("amount=10.555&currency=USD").len(), 1);
        assert_eq!(wrong("amount=ten&currency=USD").len(), 1);
    }

    #[test]
    fn filters_are_words_ids_and_answers() {
        let found = listing("type=payment_request&pg_code=knet&has_refund=true&made_by=key:abcd1234").filter;
        assert_eq!(found.plugin, Some(Plugin::PaymentRequest));
        assert_eq!(found.pg_code, PgCode::parse("knet"));
        assert_eq!(
            (found.has_refund, found.made_by.unwrap().to_string()),
            (Some(true), "key:abcd1234".into())
        );
        assert_eq!(listing("has_refund=false&made_by=user:7").filter.has_refund, Some(false));
        for maker in ["7", "user:", "user:%207", "operator:7", "Key:abcd1234", "key:ab%3Acd"] {
            let found = wrong(&alloc::format!("made_by={maker}"));
            assert_eq!(found, ["made_by must be key:<prefix> or user:<id>"], "{maker}");
        }
        for word in ["True", "1", "yes", "true%20"] {
            assert_eq!(wrong(&alloc::format!("has_refund={word}")), ["has_refund must be true or false"]);
        }
    }

    #[test]
    fn a_listing_of_a_period_of_payment_goes_by_it_and_its_cursors_do_too() {
        use crate::transaction::listing::ListingOrder;
        let session_id = crate::value::id::SessionId::generate(0, [7; 19]);
        let place = Position { order: ListingOrder::Paid, at: Timestamp::from_millis(5), session_id };
        let cursor = place.to_cursor(&demo());
        let found = listing(&alloc::format!("cursor={cursor}&paid_from=2026-11-21&state=paid"));
        assert_eq!((found.order(), found.after), (ListingOrder::Paid, Some(place)));
        for query in ["", "&paid_from=2026-11-21&order_no=1", "&paid_to=2026-11-21&customer_id=c"] {
            let found = wrong(&alloc::format!("cursor={cursor}{query}"));
            assert_eq!(found, ["cursor must be the next of a page of this listing"], "{query}");
        }
        let found = wrong("paid_from=2026-11-22&paid_to=2026-11-21");
        assert_eq!(found, ["paid_to must not be before paid_from"]);
    }

    #[test]
    fn a_parameter_other_than_state_is_given_once() {
        for name in TRANSACTIONS.names().iter().filter(|name| **name != "state") {
            let query = alloc::format!("{name}=1&{name}=1");
            assert_eq!(wrong(&query), [alloc::format!("{name} must not be given twice")]);
        }
    }

    #[test]
    fn texts_are_taken_as_they_are() {
        let found = listing("order_no=A%2F1+%27%22%3B&customer_id=%D9%86%D9%88%D8%B1");
        assert_eq!(found.filter.order_no.as_deref(), Some("A/1 '\";"));
        assert_eq!(found.filter.customer_id.as_deref(), Some("نور"));
        assert_eq!(
            listing(&alloc::format!("customer_id={}", "c".repeat(64))).filter.customer_id.unwrap().len(),
            64
        );
        assert_eq!(wrong(&alloc::format!("customer_id={}", "c".repeat(65))).len(), 1);
    }

    #[test]
    fn a_cursor_is_that_of_the_caller() {
        let session_id = crate::value::id::SessionId::generate(0, [7; 19]);
        let order = crate::transaction::listing::ListingOrder::Created;
        let place = Position { order, at: Timestamp::from_millis(5), session_id };
        let mine = alloc::format!("cursor={}", place.to_cursor(&demo()));
        assert_eq!(listing(&mine).after, Some(place.clone()));
        let theirs = alloc::format!("cursor={}", place.to_cursor(&MerchantId::parse("other").unwrap()));
        assert_eq!(wrong(&theirs), wrong("cursor=nonsense"));
    }
}
