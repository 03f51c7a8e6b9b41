//! How an endpoint is declared, once: a line of a table becomes the variant of an enum, its addresses in both
//! directions, and all else that is known of it.

use alloc::string::String;
use alloc::vec::Vec;

use super::action::Action;
use super::query::Query;
use crate::words::media_type::BodyType;

/// Who calls an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointAudience {
    /// A merchant's server, and with a public key its page.
    Merchant,
    /// A browser that navigates: what goes wrong is shown as a page.
    Payer,
    /// The script of the hosted page, or a checkout SDK.
    Page,
    /// A payment gateway.
    Gateway,
    /// The operator of the installation.
    Operator,
    /// Anyone.
    Public,
}

/// What is read of a request's body, and at most how many bytes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndpointBody {
    /// Nothing.
    Nothing,
    /// One of these media types.
    Typed(BodyType, usize),
    /// Its bytes, whatever they are called.
    Bytes(usize),
}

/// A body in JSON.
pub(super) const fn json(max: usize) -> EndpointBody {
    EndpointBody::Typed(BodyType::Json, max)
}

/// The form of a page.
pub(super) const fn form(max: usize) -> EndpointBody {
    EndpointBody::Typed(BodyType::Form, max)
}

/// A form that may contain a file; the file counts.
pub(super) const fn multipart(max: usize) -> EndpointBody {
    EndpointBody::Typed(BodyType::Multipart, max)
}

/// JSON, or a form of either kind; a file in it does not count.
pub(super) const fn record(max: usize) -> EndpointBody {
    EndpointBody::Typed(BodyType::Record, max)
}

/// Bytes of any type.
pub(super) const fn bytes(max: usize) -> EndpointBody {
    EndpointBody::Bytes(max)
}

/// No body.
pub(super) const fn nothing() -> EndpointBody {
    EndpointBody::Nothing
}

/// From which pages of other origins a browser may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origins {
    /// None.
    Own,
    /// Those of the merchant of the transaction that the address names.
    OfAddress,
    /// Those of the merchant of the transaction that the body names.
    OfBody,
}

/// Whose browser waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// Nobody's.
    Nobody,
    /// The payer's, for gateways.
    Payer,
    /// The payer's if a page calls, and nobody's if a server does.
    PayerOnPage,
    /// The payer's, for gateways and then for the merchant's receiver.
    PayerForReceiver,
}

/// How an endpoint says why it refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusals {
    /// By problem bodies (RFC 9457), or by a page where a browser navigates.
    Problems,
    /// As clients of OAuth read them (RFC 6749, 5.2).
    OfTokens,
}

/// What the body of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// JSON.
    Json,
    /// A page.
    Html,
    /// Another address, and no body.
    Redirect,
    /// No body.
    Empty,
    /// An image.
    Image,
    /// A file of a merchant, as it was uploaded.
    File,
    /// A signed text (JWS, RFC 7515).
    Jose,
    /// Public keys (JWK Set, RFC 7517).
    KeySet,
    /// A text.
    Text,
    /// A table (CSV, RFC 4180).
    Csv,
    /// Metrics, as Prometheus reads them.
    Metrics,
    /// JSON or a plain text, as the gateway wants it.
    OfGateway,
}

/// An answer to a request that succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered {
    /// The HTTP status.
    pub status: u16,
    /// What its body is.
    pub media: Media,
}

/// What is known of an endpoint in addition to its addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndpointFacts {
    /// Its word in the operator's log.
    pub name: &'static str,
    /// Who calls it.
    pub audience: EndpointAudience,
    /// What a caller must be permitted to do, which is decided before the body is judged.
    pub action: Action,
    /// What it reads.
    pub body: EndpointBody,
    /// From which pages it may be called.
    pub origins: Origins,
    /// Who waits for its answer.
    pub waits: Waits,
    /// How it says why it refuses.
    pub refusals: Refusals,
    /// The parameters of its query.
    pub query: Query,
    /// What it answers if it does what it is asked for.
    pub answers: &'static [Answered],
}

/// One line of the table: `R` is the enum that has its variant.
pub struct Endpoint<R> {
    /// Its addresses; `{}` is one segment.
    pub paths: &'static [&'static str],
    /// What it answers to.
    pub methods: &'static [&'static str],
    /// All else that is known of it.
    pub facts: EndpointFacts,
    /// The route of an address, by the segments for `{}`.
    pub(super) build: fn(&[&str]) -> Option<R>,
}

impl<R> Endpoint<R> {
    /// The route that a path means here, without its trailing slash, whatever the method.
    pub(super) fn read(&self, path: &str) -> Option<R> {
        self.paths.iter().find_map(|pattern| (self.build)(&segments(pattern, path)?))
    }
}

fn segments<'p>(pattern: &str, path: &'p str) -> Option<Vec<&'p str>> {
    // Most patterns differ before their first segment that is not fixed: nothing is split for them.
    let shared =
        pattern.bytes().zip(path.bytes()).take_while(|(expected, actual)| expected == actual).count();
    if !matches!(pattern.as_bytes().get(shared..), Some([] | [b'/'] | [b'{', ..])) {
        return None;
    }
    let mut found = Vec::new();
    let mut actual = path.split('/');
    for expected in pattern.trim_end_matches('/').split('/') {
        let segment = actual.next()?;
        if expected == "{}" {
            found.push(segment);
        } else if expected != segment {
            return None;
        }
    }
    actual.next().is_none().then_some(found)
}

/// A pattern with `values` for each `{}`.
pub(crate) fn fill(pattern: &str, values: &[String]) -> String {
    let mut path = String::with_capacity(96);
    let mut values = values.iter();
    for (place, part) in pattern.split("{}").enumerate() {
        if place > 0 {
            path.push_str(values.next().map_or("", String::as_str));
        }
        path.push_str(part);
    }
    path
}

/// Declares endpoints, a line each: the variant with its segments, methods, paths (the first is the one that is
/// written), name, audience, action, body with the type that reads it; from which pages of others it may be called, who
/// waits for the answer, how it refuses unless by problem bodies, and the parameters of its query, each if there is
/// any; and what it answers, JSON with the types that are written.
macro_rules! endpoints {
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
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $enum {
            $($(#[doc = $about])* $name $(($($kind),+))?,)*
            $(
                /// A route of the other table.
                $outer($inner),
            )?
        }

        impl $enum {
            /// The table.
            pub const ENDPOINTS: &'static [Endpoint<Self>] = &[$(
                Endpoint {
                    paths: &[$($path),+],
                    methods: &[$(stringify!($method)),+],
                    facts: facts!(
                        ($word, $audience, $action), $body($($max)?), ($($origins)?), ($($waits)?), ($($refusals)?),
                        ($($query)?), ($($status $media),+)
                    ),
                    build: |segments| {
                        let mut segments = segments.iter();
                        let route = Self::$name $(($(<$kind as Segment>::read(segments.next()?)?),+))?;
                        segments.next().is_none().then_some(route)
                    },
                },
            )*];

            /// What is known of the endpoint.
            #[must_use]
            pub const fn facts(&self) -> EndpointFacts {
                match self {
                    $(Self::$name { .. } => facts!(
                        ($word, $audience, $action), $body($($max)?), ($($origins)?), ($($waits)?), ($($refusals)?),
                        ($($query)?), ($($status $media),+)
                    ),)*
                    $(Self::$outer(inner) => inner.facts(),)?
                }
            }

            /// The path of the address.
            #[must_use]
            pub fn path(&self) -> String {
                match self {
                    $(Self::$name $(($($field),+))? => {
                        let [pattern, ..] = [$($path),+];
                        fill(pattern, &[$($($field.write()),+)?])
                    })*
                    $(Self::$outer(inner) => inner.path(),)?
                }
            }

            /// The transaction that the address names.
            #[must_use]
            pub fn session(&self) -> Option<&SessionId> {
                match self {
                    $(Self::$name $(($($field),+))? => {
                        let named: &[Option<&SessionId>] = &[$($($field.session()),+)?];
                        named.iter().copied().flatten().next()
                    })*
                    $(Self::$outer(inner) => inner.session(),)?
                }
            }

            /// A route of every line.
            #[cfg(test)]
            pub(crate) fn examples() -> Vec<Self> {
                alloc::vec![$(Self::$name $(($(<$kind as Segment>::example()),+))?,)*]
            }
        }
    };
}
pub(super) use endpoints;

/// What a line says in addition to its addresses.
macro_rules! facts {
    (
        ($word:literal, $audience:ident, $action:ident), $body:expr, ($($origins:ident)?), ($($waits:ident)?),
        ($($refusals:ident)?), ($($query:ident)?), ($($status:literal $media:ident),+)
    ) => {
        EndpointFacts {
            name: $word,
            audience: EndpointAudience::$audience,
            action: Action::$action,
            body: $body,
            origins: given!(Origins::Own; $(Origins::$origins)?),
            waits: given!(Waits::Nobody; $(Waits::$waits)?),
            refusals: given!(Refusals::Problems; $(Refusals::$refusals)?),
            query: given!(crate::route::query::NONE; $(crate::route::query::$query)?),
            answers: &[$(Answered { status: $status, media: Media::$media }),+],
        }
    };
}
pub(super) use facts;

/// What a line says, or what holds if it does not say it.
macro_rules! given {
    ($usual:expr;) => {
        $usual
    };
    ($usual:expr; $given:expr) => {
        $given
    };
}
pub(super) use given;
