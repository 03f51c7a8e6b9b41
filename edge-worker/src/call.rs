//! A call that may be answered: its caller was identified, and its body read.

use std::rc::Rc;

use checkout_core::access::header::Credential;
use checkout_core::access::operator::Operator;
use checkout_core::access::{Caller, Principal};
use checkout_core::api::form::BodyForm;
use checkout_core::api::native::session_of;
use checkout_core::api::pay::PayForm;
use checkout_core::flow::{Failure, identify};
use checkout_core::port::World;
use checkout_core::rejection::{RefusedRequest, Rejection};
use checkout_core::route::{Action, Origins, Route};
use checkout_core::value::id::SessionId;
use checkout_core::wire::form::RequestBody;
use checkout_core::wire::query;
use worker::Context;

use crate::edge::Edge;
use crate::guard::flood;
use crate::guard::quota;
use crate::http::Incoming;

/// What was sent, before it is known who calls.
pub(crate) struct Received<'a> {
    edge: &'a Rc<Edge>,
    context: &'a Context,
    head: &'a Incoming,
    route: &'a Route,
    credential: Credential,
    body: Result<RequestBody, RefusedRequest>,
}

/// What a handler is given.
pub(crate) struct Call<'a> {
    pub(crate) edge: &'a Rc<Edge>,
    pub(crate) context: &'a Context,
    pub(crate) head: &'a Incoming,
    /// Who calls, and may call this endpoint.
    pub(crate) principal: Principal,
    pub(crate) body: &'a RequestBody,
}

impl<'a> Received<'a> {
    /// Reads the body, for every endpoint.
    ///
    /// It is read first, so that the connection of a refused caller is not closed while the caller still sends. A
    /// body over the cap is refused at once; whatever else is wrong with a body, only a caller who may call hears of it.
    /// Which transaction the body names is noted for refused callers too: its merchant says which pages may read why.
    ///
    /// # Errors
    /// [`Rejection::BodyTooLarge`], or a flood.
    pub(crate) async fn read(
        edge: &'a Rc<Edge>,
        context: &'a Context,
        head: &'a mut Incoming,
        route: &'a Route,
    ) -> Result<Self, Failure> {
        let facts = route.facts();
        let form = BodyForm::of(route);
        let body = head.read_body(&facts, form.as_ref()).await;
        let body = body.map_err(|rejection| during(route, rejection));
        if let Err(rejection) = &body
            && matches!(rejection.rejection, Rejection::BodyTooLarge { .. })
        {
            return Err(rejection.clone().into());
        }
        if let (Origins::OfBody, Ok(body)) = (facts.origins, &body) {
            head.called = session_of(&body.bytes);
        }
        let credential = head.credential(facts.action);
        let session = named(head, facts.action, route.session(), &body);
        flood::check(edge, &facts, &credential, session.as_ref()).await?;
        Ok(Self { edge, context, head, route, credential, body })
    }

    /// Identifies the caller, for every endpoint. The call is counted unless it is answered once more.
    ///
    /// # Errors
    /// The rejection of the caller or of the body, or a failure of the world.
    pub(crate) async fn identify(&self, is_again: bool) -> Result<Call<'_>, Failure> {
        let Self { edge, context, head, route, ref credential, ref body } = *self;
        let facts = route.facts();
        let of_body = self.named_by_body();
        let named = route.session().or(of_body.as_ref());
        let principal = identify(edge.as_ref(), credential, facts.action, named).await?;
        if !is_again {
            quota::check(edge, context, &principal).await?;
        }
        query::check(&facts, &head.method, head.query())?;
        let body = body.as_ref().map_err(Clone::clone)?;
        if let (Principal::Merchant(caller), Some(form)) = (&principal, BodyForm::of(route)) {
            let checked = form.check(body, &caller.situation.settings, edge.installation());
            checked.map_err(|rejection| during(route, rejection))?;
        }
        Ok(Call { edge, context, head, principal, body })
    }

    /// The transaction that a merchant's request loads first and that its address does not name.
    fn named_by_body(&self) -> Option<SessionId> {
        let body = self.body.as_ref().ok().filter(|_| self.route.facts().action.loads_what_its_body_names());
        session_of(&body?.bytes)
    }
}

/// A rejection as that of the operation of a route.
fn during(route: &Route, rejection: Rejection) -> RefusedRequest {
    match route.facts().action.operation() {
        Some(operation) => rejection.during(operation),
        None => rejection.into(),
    }
}

impl Call<'_> {
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
    body: &Result<RequestBody, RefusedRequest>,
) -> Option<SessionId> {
    if action != Action::UseSession {
        return None;
    }
    let of_query = || SessionId::parse(&head.parameter("session_id")?);
    let of_body = || PayForm::parse(&body.as_ref().ok()?.bytes).session_id;
    of_address.cloned().or_else(|| head.called.clone()).or_else(of_query).or_else(of_body)
}
