//! A call that may be answered: its caller was identified, and its body read.

use std::rc::Rc;

use checkout_core::access::operator::Operator;
use checkout_core::access::{Caller, Principal};
use checkout_core::api::form::BodyForm;
use checkout_core::api::native::session_of;
use checkout_core::api::pay::PayForm;
use checkout_core::flow::{Failure, identify};
use checkout_core::port::World;
use checkout_core::rejection::Rejection;
use checkout_core::route::{Action, Needs, Origins, Route};
use checkout_core::value::id::SessionId;
use checkout_core::wire::form::RequestBody;
use checkout_core::wire::query;
use worker::Context;

use crate::edge::Edge;
use crate::guard::flood;
use crate::guard::quota;
use crate::http::Incoming;

/// What a handler is given.
pub(crate) struct Call<'a> {
    pub(crate) edge: &'a Rc<Edge>,
    pub(crate) context: &'a Context,
    pub(crate) head: &'a Incoming,
    /// Who calls, and may call this endpoint.
    pub(crate) principal: Principal,
    pub(crate) body: RequestBody,
}

impl<'a> Call<'a> {
    /// Reads the body and identifies the caller, for every endpoint.
    ///
    /// The body is read first, so that the connection of a refused caller is not closed while the caller still sends. A
    /// body over the cap is refused at once; whatever else is wrong with a body, only a caller who may call hears of it.
    /// Which transaction the body names is noted for refused callers too: its merchant says which pages may read why.
    ///
    /// # Errors
    /// The rejection of the body or of the caller, or a failure of the world.
    pub(crate) async fn receive(
        edge: &'a Rc<Edge>,
        context: &'a Context,
        head: &'a mut Incoming,
        route: &Route,
    ) -> Result<Self, Failure> {
        let (facts, session) = (route.facts(), route.session());
        let during = |rejection: Rejection| match facts.action.operation() {
            Some(operation) => rejection.during(operation),
            None => rejection,
        };
        let form = BodyForm::of(route);
        let body = head.read_body(&facts, form.as_ref()).await.map_err(during);
        if let Err(rejection) = &body
            && matches!(rejection.plain(), Rejection::BodyTooLarge { .. })
        {
            return Err(rejection.clone().into());
        }
        if let (Origins::OfBody, Ok(body)) = (facts.origins, &body) {
            head.called = session_of(&body.bytes);
        }
        edge.note_request(&head.request_id, head.origin());
        let credential = head.credential(facts.action);
        let session = named(head, facts.action, session, &body);
        flood::check(edge, &facts, &credential, session.as_ref()).await?;
        if let (Needs::Merchant, Some(session_id)) = (facts.action.needs(), route.session()) {
            edge.store().expect(session_id);
        }
        let principal = identify(edge.as_ref(), &credential, facts.action).await?;
        if principal.is_payer() {
            edge.note_payer();
        }
        quota::check(edge, context, &principal).await?;
        query::check(&facts, &head.method, head.query())?;
        let body = body?;
        if let (Principal::Merchant(caller), Some(form)) = (&principal, &form) {
            form.check(&body, &caller.situation.settings, edge.installation()).map_err(during)?;
        }
        Ok(Self { edge, context, head, principal, body })
    }

    /// The caller, who acts for a merchant.
    ///
    /// # Errors
    /// [`Rejection::CredentialsInvalid`] for everyone else.
    pub(crate) fn caller(&self) -> Result<Caller, Rejection> {
        self.principal.clone().into_caller()
    }

    /// The operator who calls.
    ///
    /// # Errors
    /// [`Rejection::CredentialsInvalid`] for everyone else.
    pub(crate) fn operator(&self) -> Result<&Operator, Rejection> {
        match &self.principal {
            Principal::Operator(operator) => Ok(operator),
            Principal::Merchant(_) | Principal::Session | Principal::Anyone => {
                Err(Rejection::CredentialsInvalid)
            }
        }
    }

    /// The bytes of the body.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.body.bytes
    }
}

/// The transaction that a request from the payer's side names: in its address, its query or its body.
fn named(
    head: &Incoming,
    action: Action,
    of_address: Option<&SessionId>,
    body: &Result<RequestBody, Rejection>,
) -> Option<SessionId> {
    if action != Action::UseSession {
        return None;
    }
    let of_query = || SessionId::parse(&head.parameter("session_id")?);
    let of_body = || PayForm::parse(&body.as_ref().ok()?.bytes).session_id;
    of_address.cloned().or_else(|| head.called.clone()).or_else(of_query).or_else(of_body)
}
