//! The list of payments that led to a screen: its query goes along, so that who has done something comes back to it.
//! The screens are those of a payment, of its changes, of its link, and of a request for approval that was made there.

use checkout_core::desk::route::{DeskRoute, way_back};
use checkout_core::value::id::SessionId;
use form_urlencoded::Serializer;
use maud::{Markup, html};

use super::call::DeskCall;

/// The parameter in which the address of a payment, and each form on its page, has the query of the list that led there.
pub(super) const LIST: &str = "list";

/// The query of the list that led here: of the address, or of the form that was sent.
fn list_query(call: &DeskCall<'_>) -> Option<String> {
    let of_address = call.query().filled(LIST).map(str::to_owned);
    of_address.or_else(|| call.form.filled(LIST).map(str::to_owned))
}

/// An address with the list that led here.
pub(super) fn with_list(call: &DeskCall<'_>, to: &DeskRoute) -> String {
    let Some(list) = list_query(call) else { return to.path() };
    format!("{}?{}", to.path(), Serializer::new(String::new()).append_pair(LIST, &list).finish())
}

/// The list that led here, as a field of a form.
pub(super) fn list_field(call: &DeskCall<'_>) -> Markup {
    html! { @if let Some(list) = list_query(call) { input type="hidden" name=(LIST) value=(list); } }
}

/// The same with a parameter of that screen, `name=value`.
pub(super) fn with_list_and(call: &DeskCall<'_>, to: &DeskRoute, parameter: &str) -> String {
    let address = with_list(call, to);
    let separator = if address.contains('?') { '&' } else { '?' };
    format!("{address}{separator}{parameter}")
}

/// The page of a payment that says what was done.
pub(super) fn news_of(call: &DeskCall<'_>, session_id: &SessionId, news: &str) -> String {
    with_list_and(call, &DeskRoute::Payment(session_id.clone()), &format!("news={news}"))
}

/// The list that led here, with its filters.
pub(super) fn list_of(call: &DeskCall<'_>) -> String {
    let list = list_query(call).unwrap_or_default();
    way_back(Some(&[&DeskRoute::Payments.path(), "?", &list].concat()))
}
