//! Someone who is signed in, and how the desk is shown to them.

use checkout_core::access::Caller;
use checkout_core::desk::device::device;
use checkout_core::desk::form::TOKEN;
use checkout_core::desk::route::DeskRoute;
use checkout_core::flow::desk::Visitor;
use checkout_core::strings::desk::DeskWords;
use checkout_core::words::Language;
use maud::{Markup, html};

use crate::http::Incoming;

/// Someone who is signed in.
pub(super) struct DeskVisit {
    pub(super) visitor: Visitor,
    pub(super) language: Language,
    /// What every form of the session carries.
    pub(super) form_token: String,
}

impl DeskVisit {
    /// Who calls, as every flow wants it.
    pub(super) fn caller(&self) -> &Caller {
        &self.visitor.caller
    }

    /// The words of the language.
    pub(super) fn words(&self) -> &'static DeskWords {
        DeskWords::of(self.language)
    }

    /// A form that goes to an address of the desk, with the token of the session.
    pub(super) fn form(&self, to: &DeskRoute, fields: &Markup) -> Markup {
        html! {
            form method="post" action=(to.path()) {
                input type="hidden" name=(TOKEN) value=(self.form_token);
                (fields)
            }
        }
    }
}

/// The language of a page for someone whose session does not say it.
pub(super) fn language_of(incoming: &Incoming) -> Language {
    let named = incoming.parameter("language").as_deref().and_then(Language::parse);
    Language::of_page(named, None, incoming.header("accept-language").and_then(Language::accepted))
}

/// From what device a request comes, as its browser says.
pub(super) fn device_of(incoming: &Incoming) -> String {
    device(incoming.header("user-agent"))
}
