//! Outgoing requests: to gateways and to merchants' receivers, with caps on time and size and without
//! following redirects. Requests for the sandbox are answered inside the Worker, but still as bytes; a Worker
//! without it never sends them.

use std::rc::Rc;
use std::time::Duration;

use checkout_core::gateway::exchange::{Incoming, Method, Outgoing};
use checkout_core::port::{Http, SendError};
use checkout_core::value::web_address::WebAddress;
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use wasm_bindgen::JsValue;
use web_sys::{Headers, Request, RequestInit, RequestRedirect};
use worker::{AbortController, D1Database, Delay, Fetch};

use crate::config::Config;
#[cfg(feature = "sandbox")]
use {
    crate::clock::PlatformClock,
    crate::logging,
    crate::rng::PlatformRng,
    crate::sandbox::{self, Sandbox},
    checkout_core::installation::inbox_name,
    checkout_core::port::Clock,
    sandbox_bank::reply::Reply,
};

/// The most bytes that are read of an answer.
const MAX_ANSWER_BYTES: usize = 65_536;

/// Sends the outgoing requests that one request to the Worker causes.
pub(crate) struct Outbound {
    config: Rc<Config>,
    #[cfg(feature = "sandbox")]
    database: Rc<D1Database>,
}

impl Outbound {
    /// A sender.
    #[cfg(not(feature = "sandbox"))]
    pub(crate) fn new(config: Rc<Config>, _: Rc<D1Database>) -> Self {
        Self { config }
    }

    /// A sender; the database holds the sandbox's own tables.
    #[cfg(feature = "sandbox")]
    pub(crate) fn new(config: Rc<Config>, database: Rc<D1Database>) -> Self {
        Self { config, database }
    }

    /// The simulated world at this moment.
    #[cfg(feature = "sandbox")]
    pub(crate) fn sandbox(&self) -> Sandbox<'_> {
        Sandbox {
            db: &self.database,
            public_url: &self.config.installation.public_url,
            now: PlatformClock.now(),
        }
    }

    /// The sandbox's answer, if the address is the simulated bank or an inbox.
    #[cfg(feature = "sandbox")]
    async fn simulate(&self, request: &Outgoing) -> Option<Result<Incoming, SendError>> {
        let answer = if sandbox::is_bank(&request.url) {
            self.sandbox().answer(&PlatformRng, request).await
        } else {
            let path = request.url.strip_prefix(self.config.installation.public_url.as_str())?;
            let name = inbox_name(path)?;
            let headers: Vec<(String, String)> =
                request.headers.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
            self.sandbox().receive(name, &headers, &request.body).await
        };
        Some(match answer {
            Ok(Reply::Answer(answer)) => Ok(answer),
            Ok(Reply::Silence) => Err(SendError::Unknown),
            Err(error) => {
                logging::failed("sandbox", &error);
                Err(SendError::Unknown)
            }
        })
    }
}

impl Http for Outbound {
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        #[cfg(feature = "sandbox")]
        if let Some(answer) = self.simulate(&request).await {
            return answer;
        }
        let installation = &self.config.installation;
        let address = WebAddress::parse(&request.url, installation.reach).map_err(|_| SendError::NotSent)?;
        // Our own pages and operations are never reached through an address that a merchant supplied.
        if address.origin() == installation.public_url {
            return Err(SendError::NotSent);
        }
        let prepared = prepare(&request, &address).map_err(|_| SendError::NotSent)?;
        let controller = AbortController::default();
        let signal = controller.signal();
        let fetch = Fetch::Request(prepared.into());
        let head = fetch.send_with_signal(&signal);
        let (response, rest) = match select(Box::pin(head), Delay::from(limit)).await {
            Either::Left((response, rest)) => (response.map_err(|_| SendError::Unknown)?, rest),
            Either::Right(((), _)) => {
                controller.abort();
                return Err(SendError::Unknown);
            }
        };
        let mut answer = Incoming {
            status: response.status_code(),
            headers: response.headers().entries().collect(),
            body: Vec::new(),
        };
        // The status is known; the reader of the body finds out that its end is missing.
        let is_over =
            matches!(select(Box::pin(read(response, &mut answer.body)), rest).await, Either::Right(((), _)));
        if is_over {
            controller.abort();
        }
        Ok(answer)
    }
}

fn prepare(request: &Outgoing, address: &WebAddress) -> Result<Request, JsValue> {
    let headers = Headers::new()?;
    for (name, value) in &request.headers {
        headers.set(name, value)?;
    }
    let init = RequestInit::new();
    init.set_headers(&headers);
    init.set_redirect(RequestRedirect::Manual);
    match request.method {
        Method::Get => init.set_method("GET"),
        Method::Post => {
            init.set_method("POST");
            init.set_body(&js_sys::Uint8Array::from(request.body.as_slice()));
        }
    }
    Request::new_with_str_and_init(address.as_str(), &init)
}

/// Reads the body as far as it comes, up to the cap.
async fn read(mut response: worker::Response, body: &mut Vec<u8>) {
    let Ok(mut stream) = response.stream() else { return };
    while let Some(Ok(chunk)) = stream.next().await {
        let room = MAX_ANSWER_BYTES.saturating_sub(body.len());
        body.extend(chunk.iter().take(room));
        if chunk.len() > room {
            return;
        }
    }
}
