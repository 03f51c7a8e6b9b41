//! Where webhooks go, a test of each address, and the receivers that fail.

use checkout_core::access::grantor::Grantor;
use checkout_core::answer::administration::WebhookAddresses;
use checkout_core::answer::delivery::{ReceiverShown, TestWebhookSent};
use checkout_core::desk::frame::missing;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::Failure;
use checkout_core::flow::account::receiver;
use checkout_core::flow::account::webhook_secret::add_webhook_secret;
use checkout_core::flow::operator::webhook_address;
use checkout_core::record::attention::Topic;
use checkout_core::record::outbox::MessageKind;
use checkout_core::strings::desk::WebhookWords;
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use super::call::{DeskCall, go_to};
use super::parts::{fault_list, faults, moment};
use crate::http::Reply;

/// The version of the settings that a form showed.
const VERSION: &str = "version";
/// The fields of alerts by e-mail.
const ALERT_EMAILS: &str = "alert_emails";
const ALERT_TOPICS: &str = "alert_topics";

/// An address, by its name in a form, and the kind of the webhooks that go to it.
type Place = (&'static str, &'static str, MessageKind);

fn places(words: &WebhookWords) -> [Place; 4] {
    [
        ("e_commerce", words.e_commerce, MessageKind::PaymentWebhook),
        ("payment_request", words.payment_request, MessageKind::PaymentWebhook),
        ("operations", words.operations, MessageKind::OperationWebhook),
        ("alerts", words.alerts, MessageKind::AlertWebhook),
    ]
}

/// The address of a place that is stored.
fn stored<'a>(addresses: &'a WebhookAddresses, place: &str) -> Option<&'a str> {
    let address = match place {
        "e_commerce" => &addresses.e_commerce,
        "payment_request" => &addresses.payment_request,
        "operations" => &addresses.operations,
        _ => &addresses.alerts,
    };
    address.as_deref()
}

/// The screen.
pub(super) async fn show(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().webhooks;
    let query = call.query();
    let number = |name| query.get(name).and_then(|text| text.parse::<u32>().ok());
    let done = match (number("saved"), number("enabled")) {
        (Some(version), _) => Some(words.saved.replace("{version}", &version.to_string())),
        (None, Some(count)) => Some(words.enabled.replace("{count}", &count.to_string())),
        (None, None) => None,
    };
    let notice = html! { @if let Some(text) = done { p .notice.good role="status" { (text) } } };
    screen(call, 200, &notice).await
}

async fn screen(call: &DeskCall<'_>, status: u16, notice: &Markup) -> Result<Reply, Failure> {
    let words = &call.words().webhooks;
    let caller = call.caller();
    let addresses = webhook_address::read_addresses(call.edge.as_ref(), caller).await?;
    let failing = receiver::list_receivers(call.edge.as_ref(), caller.merchant()).await?;
    let may_change = missing(caller, &DeskRoute::ChangeWebhooks).is_none();
    let body = html! {
        h1 { (words.title) }
        (notice)
        section .card {
            h2 { (words.addresses) }
            p .quiet { (words.addresses_mean) }
            @if may_change { (form(call, &addresses)) } @else { (lines(words, &addresses)) }
        }
        @if may_change { (tests(call, &addresses)) (secret(call)) }
        section .card {
            h2 { (words.alert_emails) }
            p .quiet { (words.alert_emails_mean) }
            @if may_change { (alert_form(call, &addresses)) } @else { (alert_lines(words, &addresses)) }
        }
        section .card {
            h2 { (words.receivers) }
            @if failing.is_empty() { p { (words.none_fails) } } @else { (receivers(call, &failing, may_change)) }
        }
    };
    Ok(call.screen_with(status, words.title, &body))
}

/// The form that makes another signing secret.
fn secret(call: &DeskCall<'_>) -> Markup {
    let words = &call.words().webhooks;
    html! {
        section .card {
            h2 { (words.secret) }
            p .quiet { (words.secret_means) }
            (call.form(&DeskRoute::ReplaceWebhookSecret, &html! {
                input type="hidden" name=(VERSION) value=(call.caller().situation.settings.version);
                button .button.second { (words.replace_secret) }
            }))
        }
    }
}

/// Makes another signing secret, and shows it once. The form knows the version of the settings: sent twice, it would end the
/// secret that receivers have.
pub(super) async fn replace_secret(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let caller = call.caller();
    if call.form.get(VERSION) != Some(&caller.situation.settings.version.to_string()) {
        let notice = html! { p .notice.warn role="status" { (call.words().webhooks.stale) } };
        return screen(call, 409, &notice).await;
    }
    let made = add_webhook_secret(call.edge.as_ref(), caller.merchant(), Grantor::Merchant(caller)).await?;
    let notice = html! {
        div .notice.good role="status" {
            p { (call.words().webhooks.new_secret) }
            p { code dir="ltr" data-copy { (made.webhook_signing_secret) } }
        }
    };
    screen(call, 200, &notice).await
}

/// The form: what was sent, or what is stored.
fn form(call: &DeskCall<'_>, addresses: &WebhookAddresses) -> Markup {
    let words = &call.words().webhooks;
    let value = |place| call.form.get(place).or_else(|| stored(addresses, place)).unwrap_or_default();
    let fields = html! {
        @for (place, label, _) in places(words) {
            div .field {
                label for=(place) { (label) }
                input id=(place) name=(place) type="url" dir="ltr" inputmode="url" spellcheck="false" maxlength="2000"
                    placeholder="https://" value=(value(place));
            }
        }
        div .actions { button .button { (words.save) } }
    };
    call.form(&DeskRoute::ChangeWebhooks, &fields)
}

fn lines(words: &WebhookWords, addresses: &WebhookAddresses) -> Markup {
    html! {
        dl .lines {
            @for (place, label, _) in places(words) {
                div { dt { (label) } dd {
                    @match stored(addresses, place) { Some(address) => { bdi dir="ltr" { (address) } } None => { (words.no_address) } }
                } }
            }
        }
        p .quiet { (words.owners_only) }
    }
}

/// Who is written to about alerts: what was sent, or what is stored.
fn alert_form(call: &DeskCall<'_>, addresses: &WebhookAddresses) -> Markup {
    let words = &call.words().webhooks;
    let given = call.form.get(ALERT_EMAILS);
    let emails = given.map_or_else(|| addresses.alert_emails.join("\n"), String::from);
    let is_chosen = |topic: Topic| match given {
        Some(_) => call.form.all(ALERT_TOPICS).any(|word| word == topic.as_str()),
        None => addresses.alert_topics.contains(&topic),
    };
    let fields = html! {
        div .field {
            label for=(ALERT_EMAILS) { (words.alert_addresses) }
            textarea id=(ALERT_EMAILS) name=(ALERT_EMAILS) dir="ltr" rows="3" maxlength="3000" spellcheck="false" { (emails) }
        }
        fieldset {
            legend { (words.alert_topics) }
            p .quiet { (words.alert_topics_mean) }
            @for topic in Topic::ALL {
                label .choice {
                    input type="checkbox" name=(ALERT_TOPICS) value=(topic.as_str()) checked[is_chosen(topic)];
                    (words.topic_of(topic))
                }
            }
        }
        div .actions { button .button { (words.save) } }
    };
    call.form(&DeskRoute::ChangeWebhooks, &fields)
}

fn alert_lines(words: &WebhookWords, addresses: &WebhookAddresses) -> Markup {
    html! {
        @if addresses.alert_emails.is_empty() { p { (words.no_address) } } @else {
            ul { @for email in &addresses.alert_emails { li { bdi dir="ltr" { (email) } } } }
        }
        @if !addresses.alert_topics.is_empty() {
            p { (words.alert_topics) }
            ul { @for topic in &addresses.alert_topics { li { (words.topic_of(*topic)) } } }
        }
    }
}

/// A test of every address that is stored.
fn tests(call: &DeskCall<'_>, addresses: &WebhookAddresses) -> Markup {
    let words = &call.words().webhooks;
    let known: Vec<_> =
        places(words).into_iter().filter_map(|place| Some((place, stored(addresses, place.0)?))).collect();
    html! {
        @if !known.is_empty() {
            section .card {
                h2 { (words.send_test) }
                p .quiet { (words.send_test_means) }
                @for ((place, label, _), address) in known {
                    (call.form(&DeskRoute::SendTestWebhook, &html! {
                        input type="hidden" name="place" value=(place);
                        div .head {
                            span { (label) " " bdi .quiet dir="ltr" { (address) } }
                            button .button.second aria-label={ (words.send_test) ": " (label) } { (words.send_test) }
                        }
                    }))
                }
            }
        }
    }
}

fn receivers(call: &DeskCall<'_>, rows: &[ReceiverShown], may_enable: bool) -> Markup {
    let words = &call.words().webhooks;
    html! {
        div .table {
            table .stacked {
                caption .unseen { (words.receivers) }
                thead { tr {
                    @for name in [call.words().deliveries.receiver, words.failing_since, words.disabled_since, words.held] {
                        th scope="col" { (name) }
                    }
                    @if may_enable { th scope="col" { span .unseen { (words.enable) } } }
                } }
                tbody { @for row in rows { (receiver_row(call, row, may_enable)) } }
            }
        }
    }
}

fn receiver_row(call: &DeskCall<'_>, row: &ReceiverShown, may_enable: bool) -> Markup {
    let words = &call.words().webhooks;
    html! {
        tr {
            th scope="row" data-label=(call.words().deliveries.receiver) { bdi dir="ltr" { (row.address) } }
            td data-label=(words.failing_since) { @match row.failing_since { Some(at) => { (moment(call, at.0)) } None => { "–" } } }
            td data-label=(words.disabled_since) {
                @match row.disabled_at { Some(at) => { span { (moment(call, at.0)) } } None => { "–" } }
                @if let Some(reason) = row.reason { " " span .quiet { (words.reason_of(reason)) } }
            }
            td data-label=(words.held) { bdi .digits { (row.held) } }
            @if may_enable {
                td {
                    @if row.disabled_at.is_some() {
                        (call.form(&DeskRoute::EnableReceiver, &html! {
                            input type="hidden" name="address" value=(row.address);
                            button .button.second { (words.enable) }
                        }))
                    }
                }
            }
        }
    }
}

/// Changes the addresses. A form with a fault is shown again.
pub(super) async fn change(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().webhooks;
    let given = places(words).into_iter().filter_map(|(place, _, _)| {
        call.form.get(place)?;
        Some((String::from(place), call.form.filled(place).map_or(Value::Null, Value::from)))
    });
    let mut asked: Map<_, _> = given.collect();
    if let Some(emails) = call.form.get(ALERT_EMAILS) {
        let lines = emails.lines().map(str::trim).filter(|line| !line.is_empty());
        asked.insert(ALERT_EMAILS.into(), lines.map(Value::from).collect());
        asked.insert(ALERT_TOPICS.into(), call.form.all(ALERT_TOPICS).map(Value::from).collect());
    }
    let asked = Value::Object(asked).to_string();
    match webhook_address::change_addresses(call.edge.as_ref(), call.caller(), asked.as_bytes()).await {
        Ok(changed) => Ok(go_to(format!("{}?saved={}", DeskRoute::Webhooks.path(), changed.version))),
        Err(failure) => again(call, failure).await,
    }
}

/// Shows the screen again with what is wrong with a form.
async fn again(call: &DeskCall<'_>, failure: Failure) -> Result<Reply, Failure> {
    let Some(wrong) = faults(&failure) else { return Err(failure) };
    screen(call, 400, &fault_list(call, call.words().webhooks.faults, &wrong)).await
}

/// Sends a test webhook to an address that is stored, and shows what came back.
pub(super) async fn test(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let words = &call.words().webhooks;
    let caller = call.caller();
    let addresses = webhook_address::read_addresses(call.edge.as_ref(), caller).await?;
    let named = places(words).into_iter().find(|(place, _, _)| call.form.get("place") == Some(place));
    let Some(((_, _, kind), address)) = named.and_then(|place| Some((place, stored(&addresses, place.0)?)))
    else {
        return Ok(go_to(DeskRoute::Webhooks.path()));
    };
    let asked = json!({ "address": address, "kind": kind.as_str() }).to_string();
    let sent = receiver::send_test_webhook(call.edge.as_ref(), caller.merchant(), asked.as_bytes());
    match Box::pin(sent).await {
        Ok(sent) => screen(call, 200, &tested(call, &sent)).await,
        Err(failure) => again(call, failure).await,
    }
}

fn tested(call: &DeskCall<'_>, sent: &TestWebhookSent) -> Markup {
    let words = call.words();
    let text = match sent.status {
        Some(_) if sent.is_accepted => words.webhooks.accepted,
        Some(_) => words.webhooks.not_accepted,
        None => words.webhooks.unanswered,
    };
    let status = sent.status.map(|status| status.to_string()).unwrap_or_default();
    let reason = sent.error.map(|error| words.deliveries.error_of(error)).unwrap_or_default();
    let text = text
        .replace("{status}", &status)
        .replace("{milliseconds}", &sent.duration_ms.to_string())
        .replace("{reason}", reason);
    html! {
        div class=(if sent.is_accepted { "notice good" } else { "notice bad" }) role="status" {
            p { (text) }
            @if let Some(text) = &sent.excerpt { pre dir="auto" { (text) } }
        }
    }
}

/// Enables a receiver again.
pub(super) async fn enable(call: &DeskCall<'_>) -> Result<Reply, Failure> {
    let caller = call.caller();
    let asked = json!({ "address": call.form.get("address").unwrap_or_default() }).to_string();
    let by = Grantor::Merchant(caller);
    let enabled =
        receiver::enable_receiver(call.edge.as_ref(), caller.merchant(), by, asked.as_bytes()).await?;
    Ok(go_to(format!("{}?enabled={}", DeskRoute::Webhooks.path(), enabled.released)))
}
