//! The lines of the table of endpoints, with the types that they name.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::type_name;

use serde_json::Value;
use serde_json::value::RawValue;

use super::answers::Written;
use super::context::Context;
use super::placeholder::{Parameter, Placeholder};
use super::requests::Read;
use super::schema::sentence;
use crate::record::attachment::AttachmentName;
use crate::record::attention::AttentionId;
use crate::record::image::ImageName;
use crate::record::return_token::ReturnToken;
use crate::record::short_link::ShortCode;
use crate::route::{Endpoint, Facts, OperatorRoute, QrCode, Route};
use crate::value::id::{
    DeliveryId, MerchantId, OperatorId, PgCode, ReferenceNumber, SessionId, SettingsVersion, UserId,
};
use crate::words::message::Channel;
use crate::{answer, api, draft, settings};

/// A line of the table, whichever enum it belongs to.
pub(super) struct Line {
    pub(super) paths: &'static [&'static str],
    pub(super) methods: &'static [&'static str],
    pub(super) facts: Facts,
    pub(super) about: String,
    pub(super) parameters: Vec<Parameter>,
    /// What reads the body.
    pub(super) request: Option<Request>,
    /// What is written, for each of the answers in `facts`.
    pub(super) answers: Vec<Vec<Answer>>,
}

/// A type that reads the body of an endpoint.
#[derive(Clone, Copy)]
pub(super) struct Request {
    pub(super) name: &'static str,
    pub(super) schema: fn(&Line, &Context<'_>) -> Value,
}

/// A type that an endpoint writes.
pub(super) struct Answer {
    pub(super) name: &'static str,
    pub(super) schema: Value,
}

/// What only the expansion below knows of a line.
struct Typed {
    about: &'static [&'static str],
    parameters: Vec<Parameter>,
    request: Option<Request>,
    answers: Vec<Vec<Answer>>,
}

macro_rules! typed {
    (
        $(#[$meta:meta])*
        enum $enum:ident $(or $outer:ident($inner:ident))?;
        $(
            $(#[doc = $about:literal])*
            $name:ident $(($($field:ident: $kind:ty),+))? = $($method:ident)|+ $($path:literal)|+, $word:literal,
                $audience:ident, $action:ident, $body:ident($($max:expr)?) $(as $request:ty)?
                $(, from $origins:ident)? $(, waits $waits:ident)? $(, refusals $refusals:ident)?
                $(, query $query:ident)? => $($status:literal $media:ident $(($($answer:ty),+))?)|+;
        )*
    ) => {
        [$(Typed {
            about: &[$($about),*],
            parameters: Vec::from([$($(<$kind as Placeholder>::parameter(stringify!($field))),+)?]),
            request: None $(.or(Some(Request { name: type_name::<$request>(), schema: <$request as Read>::schema })))?,
            answers: Vec::from([$(
                Vec::from([$($(Answer { name: type_name::<$answer>(), schema: <$answer as Written>::schema() }),+)?])
            ),+]),
        }),*]
    };
}

/// Every line, in the order of the table.
pub(super) fn lines() -> Vec<Line> {
    fn of<R>((endpoint, typed): (&Endpoint<R>, Typed)) -> Line {
        Line {
            paths: endpoint.paths,
            methods: endpoint.methods,
            facts: endpoint.facts,
            about: sentence(typed.about),
            parameters: typed.parameters,
            request: typed.request,
            answers: typed.answers,
        }
    }
    let operators = OperatorRoute::ENDPOINTS.iter().zip(crate::operator_routes!(typed)).map(of);
    Route::ENDPOINTS.iter().zip(crate::routes!(typed)).map(of).chain(operators).collect()
}
