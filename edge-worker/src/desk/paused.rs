//! The paused agreements of a customer.

use checkout_core::card::agreement::SavedAgreement;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::desk::CustomerShown;
use maud::{Markup, html};

use super::call::DeskCall;
use super::customer_logs::payment;
use super::parts::moment;

/// The agreements that are paused, with a button to resume each; nothing if none is.
pub(super) fn paused(call: &DeskCall<'_>, id: &str, found: &CustomerShown) -> Markup {
    let words = &call.words().customer;
    html! {
        @if !found.paused.is_empty() {
            h2 { (words.paused) }
            p .quiet { (words.paused_means) }
            div .table {
                table .stacked {
                    caption .unseen { (words.paused) }
                    thead { tr { @for column in [words.agreement, words.since, words.payment, words.resume] { th scope="col" { (column) } } } }
                    tbody { @for agreement in &found.paused { (line(call, id, agreement)) } }
                }
            }
        }
    }
}

fn line(call: &DeskCall<'_>, id: &str, agreement: &SavedAgreement) -> Markup {
    let words = &call.words().customer;
    let (name, is_test) = (&agreement.key.id, agreement.key.holder.is_sandbox);
    html! {
        tr {
            th scope="row" data-label=(words.agreement) {
                span { bdi { (name) } @if is_test { " " span .chip.warn { (words.test) } } }
            }
            td data-label=(words.since) {
                @if let Some(pause) = &agreement.paused { (moment(call, pause.at)) }
            }
            td data-label=(words.payment) {
                @if let Some(pause) = &agreement.paused {
                    (payment(&pause.session_id))
                }
            }
            td data-label=(words.resume) {
                (call.form(&DeskRoute::ResumeDebits, &html! {
                    input type="hidden" name="customer_id" value=(id);
                    input type="hidden" name="agreement" value=(name);
                    @if is_test { input type="hidden" name="test" value="1"; }
                    button .button { (words.resume) " " span .unseen { bdi { (name) } } }
                }))
            }
        }
    }
}
