//! Outgoing requests: to gateways and to merchants' receivers, with caps on time and size and without
//! following redirects. Requests for the sandbox are answered inside the Worker, but still as bytes; a Worker
//! without it never sends them.

use std::rc::Rc;
use std::time::Duration;

use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use checkout_core::port::{Http, SendError};
use checkout_core::value::web_address::WebAddress;
use worker::D1Database;

use crate::config::Config;
use crate::platform::{self, Limits, Sent, headers_of, lines_of};
use crate::port::clock::PlatformClock;
#[cfg(feature = "sandbox")]
use {
    crate::logging,
    crate::port::rng::PlatformRng,
    crate::sandbox::{self, Sandbox},
    checkout_core::installation::inbox_name,
    checkout_core::messenger::sandbox::ENDPOINT as SANDBOX_ENDPOINT,
    checkout_core::port::Clock,
    sandbox_bank::reply::Reply,
};

/// How long the body of an answer may take of which the head decides.
const BODY_LIMIT: Duration = Duration::from_secs(1);
/// How long the simulated bank takes to answer if it is slow.
#[cfg(feature = "sandbox")]
const LATE: Duration = Duration::from_secs(2);
/// How long an address of the installation itself may take to answer.
const OWN_LIMIT: Duration = Duration::from_secs(10);

/// Sends the outgoing requests that one request to the Worker causes.
pub(crate) struct Outbound {
    config: Rc<Config>,
    #[cfg(feature = "sandbox")]
    database: Rc<D1Database>,
    #[cfg(feature = "sandbox")]
    clock: PlatformClock,
}

impl Outbound {
    /// A sender.
    #[cfg(not(feature = "sandbox"))]
    pub(crate) fn new(config: Rc<Config>, _: Rc<D1Database>, _: PlatformClock) -> Self {
        Self { config }
    }

    /// A sender; the database holds the sandbox's own tables.
    #[cfg(feature = "sandbox")]
    pub(crate) fn new(config: Rc<Config>, database: Rc<D1Database>, clock: PlatformClock) -> Self {
        Self { config, database, clock }
    }

    /// The simulated world at this moment.
    #[cfg(feature = "sandbox")]
    pub(crate) fn sandbox(&self) -> Sandbox<'_> {
        Sandbox {
            db: &self.database,
            public_url: &self.config.installation.public_url,
            now: self.clock.now(),
        }
    }

    /// Requests an address of the installation itself over the network, as a browser does.
    ///
    /// # Errors
    /// If there is no answer.
    pub(crate) async fn request_own(&self, path: &str) -> Result<Incoming, SendError> {
        let url = format!("{}{path}", self.config.installation.public_url);
        let headers = vec![("accept", "text/html".into()), ("accept-language", "en".into())];
        let request = Outgoing {
            method: HttpMethod::Get,
            url,
            headers,
            body: Vec::new(),
            max_answer: Outgoing::MAX_LIST,
        };
        exchange(&request, &request.url, Limits { all: OWN_LIMIT, body: None }).await
    }

    /// The sandbox's answer, if the address is the simulated bank or an inbox.
    #[cfg(feature = "sandbox")]
    async fn simulate(&self, request: &Outgoing, limit: Duration) -> Option<Result<Incoming, SendError>> {
        let answer = if sandbox::is_bank(&request.url) {
            self.sandbox().answer(&PlatformRng, request).await
        } else if let Some(inbox) = request.url.strip_prefix(SANDBOX_ENDPOINT) {
            self.sandbox().take_message(inbox, &request.body).await
        } else {
            let path = request.url.strip_prefix(self.config.installation.public_url.as_str())?;
            let name = inbox_name(path)?;
            let headers: Vec<(String, String)> =
                request.headers.iter().map(|(name, value)| ((*name).to_string(), value.clone())).collect();
            self.sandbox().receive(name, &headers, &request.body).await
        };
        Some(match answer {
            Ok(Reply::Answer(answer)) => Ok(answer),
            Ok(Reply::Late(answer)) => {
                platform::wait(limit.min(LATE)).await;
                if limit < LATE { Err(SendError::Unknown) } else { Ok(answer) }
            }
            Ok(Reply::Silence) => Err(SendError::Unknown),
            Err(error) => {
                logging::failed("sandbox", &error);
                Err(SendError::Unknown)
            }
        })
    }
}

impl Outbound {
    async fn dispatch(&self, request: Outgoing, limits: Limits) -> Result<Incoming, SendError> {
        #[cfg(feature = "sandbox")]
        if let Some(answer) = self.simulate(&request, limits.all).await {
            return answer;
        }
        let installation = &self.config.installation;
        let address = WebAddress::parse(&request.url, installation.reach).map_err(|_| SendError::NotSent)?;
        // Our own pages and operations are never reached through an address that a merchant supplied.
        if address.origin() == installation.public_url {
            return Err(SendError::NotSent);
        }
        exchange(&request, address.as_str(), limits).await
    }
}

impl Http for Outbound {
    async fn send(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        self.dispatch(request, Limits { all: limit, body: None }).await
    }

    async fn notify(&self, request: Outgoing, limit: Duration) -> Result<Incoming, SendError> {
        self.dispatch(request, Limits { all: limit, body: Some(BODY_LIMIT) }).await
    }
}

/// Sends a request over the network and reads the answer.
async fn exchange(request: &Outgoing, url: &str, limits: Limits) -> Result<Incoming, SendError> {
    let head = lines_of(request.headers.iter().map(|(name, value)| (*name, value.as_str())));
    let sent = Sent {
        method: request.method.as_str(),
        url,
        head: &head,
        body: &request.body,
        limits,
        max: request.max_answer,
    };
    let answer = platform::send(&sent).await.map_err(|_| SendError::Unknown)?;
    let (head, body) = answer.ok_or(SendError::NotSent)?;
    let mut lines = head.split('\n');
    let status = lines.next().and_then(|status| status.parse().ok()).ok_or(SendError::Unknown)?;
    Ok(Incoming { status, query: String::new(), headers: headers_of(lines), body })
}
