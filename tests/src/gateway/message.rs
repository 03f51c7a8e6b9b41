//! HTTP messages as the simulated gateways read and write them.

use checkout_core::gateway::exchange::{HttpMethod, Incoming, Outgoing};
use checkout_core::value::time::Timestamp;
use serde_json::Value;

/// A request, taken apart.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The method.
    pub method: HttpMethod,
    /// The segments of the path.
    pub path: Vec<String>,
    /// The fields of the query, decoded.
    pub query: Vec<(String, String)>,
    /// The fields of the body, if it is a form.
    pub form: Vec<(String, String)>,
    /// The body, if it is JSON.
    pub json: Value,
    /// The key of idempotency.
    pub key: Option<String>,
}

impl Asked {
    /// Takes a request apart.
    #[must_use]
    pub fn read(request: &Outgoing, origin: &str) -> Self {
        let address = request.url.strip_prefix(origin).unwrap_or_default();
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let is_form = header(request, "content-type") == Some("application/x-www-form-urlencoded");
        Self {
            method: request.method,
            path: path.trim_matches('/').split('/').map(str::to_owned).collect(),
            query: pairs(query.as_bytes()),
            form: if is_form { pairs(&request.body) } else { Vec::new() },
            json: serde_json::from_slice(&request.body).unwrap_or_default(),
            key: header(request, "idempotency-key").map(str::to_owned),
        }
    }

    /// The segments of the path, to be matched.
    #[must_use]
    pub fn segments(&self) -> Vec<&str> {
        self.path.iter().map(String::as_str).collect()
    }

    /// A field of the form.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        field(&self.form, name)
    }

    /// A field of the query.
    #[must_use]
    pub fn asked(&self, name: &str) -> Option<&str> {
        field(&self.query, name)
    }

    /// A text in the JSON of the body.
    #[must_use]
    pub fn text(&self, pointer: &str) -> &str {
        self.json.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }
}

/// The fields of a form or a query, decoded.
#[must_use]
pub fn pairs(bytes: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(bytes).into_owned().collect()
}

/// The first field of a name.
#[must_use]
pub fn field<'f>(fields: &'f [(String, String)], name: &str) -> Option<&'f str> {
    fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// A header of a request.
#[must_use]
pub fn header<'r>(request: &'r Outgoing, name: &str) -> Option<&'r str> {
    request.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
}

/// An answer or a notice with a body and headers.
#[must_use]
pub fn message(status: u16, headers: &[(&str, &str)], body: Vec<u8>) -> Incoming {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Incoming { status, query: String::new(), headers, body }
}

/// A moment as HTTP writes it.
#[must_use]
pub fn written_date(at: Timestamp) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = at.to_string();
    let part = |from: usize, to: usize| text.get(from..to).unwrap();
    let place = |number: i64| usize::try_from(number).unwrap();
    let day = DAYS.get(place(at.seconds().div_euclid(86_400).rem_euclid(7))).unwrap();
    let month = part(5, 7).parse::<usize>().ok().and_then(|month| month.checked_sub(1));
    let month = MONTHS.get(month.unwrap()).unwrap();
    format!("{day}, {} {month} {} {} GMT", part(8, 10), part(0, 4), part(11, 19))
}
