//! The table of endpoints, expanded where the types that it names are known.

use std::any::type_name;

use serde_json::value::RawValue;

use crate::answers::Written;
use crate::line::{Answer, Line, Read, Request};
use crate::placeholder::{Parameter, Placeholder};
use crate::schema::sentence;
use checkout_core::record::attachment::AttachmentName;
use checkout_core::record::attention::AttentionId;
use checkout_core::record::image::ImageName;
use checkout_core::record::return_token::ReturnToken;
use checkout_core::record::short_link::ShortCode;
use checkout_core::route::{Endpoint, OperatorRoute, QrCode, Route};
use checkout_core::value::id::{
    ApprovalId, DeliveryId, MerchantId, OperatorId, PgCode, ReferenceNumber, SessionId, SettingsVersion,
    UserId,
};
use checkout_core::words::message::Channel;
use checkout_core::{answer, api, draft, sdk, settings};

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
            request: None $(.or(Some(Request {
                name: type_name::<$request>(),
                schema: <$request as Read>::schema,
                read: <$request as Read>::read,
                every: <$request as Read>::EVERY,
            })))?,
            answers: Vec::from([$(
                Vec::from([$($(Answer { name: type_name::<$answer>(), schema: <$answer as Written>::schema() }),+)?])
            ),+]),
        }),*]
    };
}

/// Every line, in the order of the table.
pub(crate) fn lines() -> Vec<Line> {
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
    let operators = OperatorRoute::ENDPOINTS.iter().zip(checkout_core::operator_routes!(typed)).map(of);
    Route::ENDPOINTS.iter().zip(checkout_core::routes!(typed)).map(of).chain(operators).collect()
}
