//! The behaviour of the page: how a message changes the model, and which effects follow. Nothing here touches
//! the document or the network, so all of it is tested natively.

use checkout_core::api::pay::{PayForm, price_of};
use checkout_core::payment::payer::GivenPayer;
use checkout_core::strings::screen::{PauseText, ScreenNotice};
use checkout_core::value::id::PgCode;
use checkout_core::words::Wallet;

use crate::follow::pause;
use crate::page::amount::Amount;
use crate::page::effect::Effect;
use crate::page::model::{Alert, Banner, Model, Phase, StatusAnswer};
use crate::wallet::Outcome;

/// Used as the code of a refusal that is about the amount or the terms: the merchant changed them.
pub const AMOUNT_REFUSED: &str = "invalid_amount";
/// The code of a wallet that the browser does not have after all.
pub const WALLET_UNAVAILABLE: &str = "wallet_unavailable";
/// The code of a refusal after too many declines.
pub const TOO_MANY_DECLINES: &str = "too_many_declines";

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// The payer chose a method.
    Chose(PgCode),
    /// The payer ticked or cleared the checkbox that saves the card.
    Ticked(bool),
    /// The payer pressed the button of a wallet.
    WalletPressed(Wallet),
    /// The sheet of the wallet is closed: nothing was paid, or the server answered, or did not.
    WalletClosed(Option<PayAnswer>),
    /// The payer typed this amount.
    Typed(String),
    /// The payer left the amount field.
    LeftAmount,
    /// The payer pressed the button.
    Submitted,
    /// The server answered the form, or did not.
    Answered(PayAnswer),
    /// A pause is over, or the time to pay is.
    AskNow,
    /// It is time to look whether the page is still right; with whether the payer sees it.
    LookNow {
        /// Nobody looks for who does not see the page.
        is_seen: bool,
    },
    /// The server reported the state of the payment; `None` when it could not be reached.
    Heard(Option<StatusAnswer>),
    /// The browser brought the page back as it was left.
    Restored,
    /// The payer looks at the page again.
    Seen,
}

/// How the server answered the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayAnswer {
    /// The payment goes on at this address.
    Redirect(String),
    /// Refused, with the code of the problem.
    Refused(String),
    /// Too many payments were declined: after how many seconds the payer may try again.
    Wait(u64),
    /// There was no answer.
    Lost,
}

/// Changes the model by a message, and answers the effects that follow.
#[must_use]
pub fn update(model: Model, message: Message) -> (Model, Vec<Effect>) {
    match message {
        Message::Chose(code) => (chose(model, code), Vec::new()),
        Message::Ticked(is_set) => (Model { saves_card: is_set, ..model }, Vec::new()),
        Message::WalletPressed(wallet) => wallet_pressed(model, wallet),
        Message::WalletClosed(answer) if model.phase == Phase::Paying => wallet_closed(model, answer),
        Message::Typed(typed) => (with_amount(model, |amount| amount.type_in(typed)), Vec::new()),
        Message::LeftAmount => (with_amount(model, Amount::show_fault), Vec::new()),
        Message::Submitted => submitted(model),
        Message::Answered(answer) if model.phase == Phase::Paying => answered(model, answer),
        Message::Answered(_) | Message::WalletClosed(_) => (model, Vec::new()),
        Message::AskNow => match model.phase {
            Phase::Waiting { .. } | Phase::Choosing => (model, vec![Effect::Ask]),
            Phase::Paying | Phase::Leaving | Phase::Resting => (model, Vec::new()),
        },
        Message::LookNow { is_seen } => look(model, is_seen),
        Message::Heard(answer) => heard(model, answer),
        Message::Restored => restored(model),
        Message::Seen => match model.phase {
            Phase::Choosing | Phase::Resting => (model, vec![Effect::Ask]),
            // A page that waits asks by itself.
            Phase::Waiting { .. } | Phase::Paying | Phase::Leaving => (model, Vec::new()),
        },
    }
}

fn chose(mut model: Model, code: PgCode) -> Model {
    if model.phase == Phase::Choosing && model.methods.iter().any(|method| method.code == code) {
        model.chosen = Some(code);
    }
    model
}

fn with_amount(mut model: Model, change: impl FnOnce(&mut Amount)) -> Model {
    if let (Phase::Choosing, Some(amount)) = (model.phase, &mut model.amount) {
        change(amount);
    }
    model
}

/// Nothing is sent without a method, nor an amount that cannot be paid. A second press while the first is in progress does nothing.
fn submitted(mut model: Model) -> (Model, Vec<Effect>) {
    if model.phase != Phase::Choosing {
        return (model, Vec::new());
    }
    let Some(code) = model.chosen.clone() else {
        return alert(model, Alert::Refused(ScreenNotice::NotChosen));
    };
    if model.amount_error().is_some() {
        return (with_amount(model, Amount::show_fault), vec![Effect::FocusAmount]);
    }
    let form = PayForm {
        is_next: false,
        session_id: Some(model.session_id.clone()),
        pg_code: code.as_str().into(),
        amount: model.amount.as_ref().map(Amount::sent),
        saves_card: model.saves_card,
        consent: model.consent.clone(),
        language: Some(model.language),
        payer: GivenPayer::default(),
        shown: model.prices.iter().find_map(|price| price_of(price, code.as_str())),
    };
    model.phase = Phase::Paying;
    model.banner = Banner::Hidden;
    (model, vec![Effect::Pay(form)])
}

/// A sheet opens only for an amount that can be paid, and while nothing else is in progress.
fn wallet_pressed(mut model: Model, wallet: Wallet) -> (Model, Vec<Effect>) {
    if model.phase != Phase::Choosing {
        return (model, Vec::new());
    }
    let Some(order) = model.order(wallet) else {
        return (with_amount(model, Amount::show_fault), vec![Effect::FocusAmount]);
    };
    model.phase = Phase::Paying;
    model.banner = Banner::Hidden;
    (model, vec![Effect::OpenSheet(order)])
}

/// It is unknown whether a payment whose answer was lost was made: the page asks.
fn wallet_closed(mut model: Model, answer: Option<PayAnswer>) -> (Model, Vec<Effect>) {
    let Some(answer) = answer else {
        model.phase = Phase::Choosing;
        return (model, Vec::new());
    };
    let is_lost = answer == PayAnswer::Lost;
    let (model, mut effects) = answered(model, answer);
    if is_lost {
        effects.push(Effect::Ask);
    }
    (model, effects)
}

impl From<Outcome> for PayAnswer {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Onward { address, .. } => Self::Redirect(address),
            Outcome::Refused(code) => Self::Refused(code),
            Outcome::Lost => Self::Lost,
        }
    }
}

fn answered(model: Model, answer: PayAnswer) -> (Model, Vec<Effect>) {
    match answer {
        PayAnswer::Redirect(address) if is_web_address(&address) => leave(model, Effect::Go(address)),
        PayAnswer::Redirect(_) => unclear(model),
        PayAnswer::Lost => alert(model, Alert::Offline),
        PayAnswer::Wait(seconds) => {
            alert(model, Alert::Refused(ScreenNotice::TooManyDeclines(PauseText::of(seconds))))
        }
        PayAnswer::Refused(code) => match code.as_str() {
            // The page is out of date: the page that the server renders now says why.
            "not_payable" | "not_found" | "payment_declined" | "paused" | AMOUNT_REFUSED => {
                leave(model, Effect::Reload)
            }
            // The page says on top that it shows another price than before.
            "price_changed" => leave(model, Effect::Redraw),
            _ => refused(model, &code),
        },
    }
}

fn refused(model: Model, code: &str) -> (Model, Vec<Effect>) {
    let Some(notice) = ScreenNotice::of_code(code) else { return unclear(model) };
    let (model, mut effects) = alert(model, Alert::Refused(notice));
    if notice == ScreenNotice::InProgress {
        effects.push(Effect::Ask);
    }
    (model, effects)
}

/// A card may have been charged before something went wrong: the page does not say that it was not, and asks.
fn unclear(model: Model) -> (Model, Vec<Effect>) {
    let (model, effects) = alert(model, Alert::NoAnswer);
    (model, effects.into_iter().chain([Effect::Ask]).collect())
}

/// The payer's choices are kept, and they may press again.
fn alert(mut model: Model, alert: Alert) -> (Model, Vec<Effect>) {
    model.phase = Phase::Choosing;
    model.banner = Banner::Shown(alert);
    (model, vec![Effect::FocusBanner])
}

fn leave(mut model: Model, effect: Effect) -> (Model, Vec<Effect>) {
    model.phase = Phase::Leaving;
    (model, vec![effect])
}

fn heard(mut model: Model, answer: Option<StatusAnswer>) -> (Model, Vec<Effect>) {
    if model.is_busy() {
        return (model, Vec::new());
    }
    model.is_connected = answer.is_some();
    let is_waiting = matches!(model.phase, Phase::Waiting { .. });
    if let Some(answer) = answer {
        match answer.redirect_url {
            // Only a payer who waits is redirected: one who came back to the page wants to see it.
            Some(address) if is_waiting && is_web_address(&address) => {
                return leave(model, Effect::Go(address));
            }
            Some(_) | None if answer.status != model.status.as_str() || answer.moved_at != model.moved_at => {
                return leave(model, Effect::Reload);
            }
            Some(_) | None if model.phase == Phase::Choosing && model.is_repriced(&answer) => {
                return leave(model, Effect::Redraw);
            }
            Some(_) | None => {}
        }
    }
    ask_again(model)
}

/// A payer who pays or leaves may come back to the page, so it goes on looking.
fn look(model: Model, is_seen: bool) -> (Model, Vec<Effect>) {
    let effects = match model.phase {
        Phase::Choosing if is_seen => vec![Effect::Ask, Effect::LookLater],
        Phase::Choosing | Phase::Paying | Phase::Leaving => vec![Effect::LookLater],
        Phase::Waiting { .. } | Phase::Resting => Vec::new(),
    };
    (model, effects)
}

fn ask_again(mut model: Model) -> (Model, Vec<Effect>) {
    let Phase::Waiting { asked, most } = model.phase else { return (model, Vec::new()) };
    let asked = asked.saturating_add(1);
    if most.is_some_and(|most| asked >= most) {
        model.phase = Phase::Resting;
        return (model, Vec::new());
    }
    model.phase = Phase::Waiting { asked, most };
    (model, vec![Effect::AskAfter { milliseconds: pause(asked) }])
}

/// A page that the payer left for the bank is usable again, and checks that what it shows is still true.
fn restored(mut model: Model) -> (Model, Vec<Effect>) {
    if model.is_busy() {
        model.phase = Phase::Choosing;
    }
    let effects = if model.phase == Phase::Choosing { vec![Effect::Ask] } else { Vec::new() };
    (model, effects)
}

/// Whether a browser may be sent to an address: an address of the web or a path of this origin, never a
/// script.
fn is_web_address(address: &str) -> bool {
    let is_path = address.starts_with('/') && !address.starts_with("//");
    is_path || address.starts_with("https://") || address.starts_with("http://")
}

#[cfg(test)]
mod tests;
