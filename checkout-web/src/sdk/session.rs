//! What the module reads of a transaction.

use checkout_core::sdk::callback::{CanceledBy, SdkStatus};
use checkout_core::sdk::payment::{Challenge, WalletAnswer};
use checkout_core::sdk::session::CheckoutSdk;
use checkout_core::state::State;
use checkout_core::value::id::{PgCode, ReferenceNumber, SessionId};
use checkout_core::value::money::Currency;
use js_sys::JSON;
use serde::Deserialize;

use super::client::Reply;
use crate::wallet::Said;

/// The transaction that an answer is about.
#[derive(Deserialize)]
struct About {
    session_id: SessionId,
}

/// Whether an answer is about a transaction.
pub(super) fn is_about(answer: &Reply, session_id: &SessionId) -> bool {
    answer.read::<About>().is_ok_and(|about| about.session_id == *session_id)
}

/// What an answer to a payment by wallet says: an outcome, or that the payer has to confirm. A problem says nothing.
pub(super) fn said(answer: &Reply) -> Option<Said> {
    let said = |approved, redirect_url, session_id: &SessionId| Said {
        is_ok: answer.is_ok,
        approved,
        redirect_url,
        session_id: Some(session_id.as_str().into()),
        ..Said::default()
    };
    if let Ok(outcome) = answer.read::<WalletAnswer>() {
        return Some(said(outcome.approved, outcome.redirect_url, &outcome.callback_payload.session_id));
    }
    let challenge: Challenge = answer.read().ok()?;
    Some(said(None, Some(challenge.redirect_url), &challenge.session_id))
}

/// What a payer can see of a transaction: another sight is a change.
#[derive(PartialEq, Eq)]
pub(super) enum Sight {
    Known {
        state: State,
        amount: String,
        currency: Currency,
        methods: Vec<(PgCode, String, Currency)>,
        latest: Option<(SdkStatus, Option<CanceledBy>, Option<ReferenceNumber>)>,
    },
    /// Words that this version does not know: it is not final, and its text is what can change.
    Unknown(String),
}

impl Sight {
    pub(super) fn of(answer: &Reply) -> Self {
        let Ok(session) = answer.read::<CheckoutSdk>() else {
            return Self::Unknown(JSON::stringify(&answer.body).map(String::from).unwrap_or_default());
        };
        let methods = session.payment_methods.into_iter();
        let latest = session.response;
        Self::Known {
            state: session.state,
            amount: session.amount,
            currency: session.currency_code,
            methods: methods.map(|method| (method.code, method.amount, method.currency_code)).collect(),
            latest: latest.map(|latest| (latest.status, latest.canceled_by, latest.reference_number)),
        }
    }

    /// Whether payer and page have nothing more to do.
    pub(super) fn is_final(&self) -> bool {
        match self {
            Self::Known { state, .. } => !state.is_payable(),
            Self::Unknown(_) => false,
        }
    }
}
