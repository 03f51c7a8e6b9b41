//! What the handler of a screen is given.

use std::rc::Rc;

use checkout_core::access::Caller;
use checkout_core::desk::form::DeskForm;
use checkout_core::desk::route::DeskRoute;
use checkout_core::strings::desk::DeskWords;
use maud::Markup;
use worker::Context;

use super::layout;
use super::visit::DeskVisit;
use crate::edge::Edge;
use crate::http::{Incoming, Reply};

/// A visit of someone who may go to the address.
pub(super) struct DeskCall<'a> {
    pub(super) edge: &'a Rc<Edge>,
    #[expect(dead_code, reason = "handlers that leave work behind need it")]
    pub(super) context: &'a Context,
    pub(super) head: &'a Incoming,
    pub(super) route: &'a DeskRoute,
    pub(super) visit: DeskVisit,
    /// The fields of the form, of a `POST`.
    pub(super) form: DeskForm,
}

impl DeskCall<'_> {
    /// Who calls, as every flow wants it.
    pub(super) fn caller(&self) -> &Caller {
        self.visit.caller()
    }

    /// The words of the language.
    pub(super) fn words(&self) -> &'static DeskWords {
        self.visit.words()
    }

    /// The parameters of the address.
    pub(super) fn query(&self) -> DeskForm {
        DeskForm::read(self.head.query().as_bytes())
    }

    /// A screen, with everything that is around it. Its body begins with a heading `h1`.
    pub(super) fn screen(&self, title: &str, body: &Markup) -> Reply {
        self.screen_with(200, title, body)
    }

    /// As [`screen`](Self::screen), with another status: 400 for a form that is shown again with its faults.
    pub(super) fn screen_with(&self, status: u16, title: &str, body: &Markup) -> Reply {
        let here = layout::Here { head: self.head, route: self.route };
        layout::screen(&self.visit, &here, status, title, body)
    }

    /// A form that goes to an address of the desk, with the token of the session.
    pub(super) fn form(&self, to: &DeskRoute, fields: &Markup) -> Markup {
        self.visit.form(to, fields)
    }
}

/// Leads a browser on to a page of the desk, after a form did something.
pub(super) fn go_to(path: String) -> Reply {
    let mut reply = Reply::empty(303);
    reply.headers.push(("location", path));
    reply
}
