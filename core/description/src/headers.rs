//! The headers that requests may have.

/// The headers of requests, each with what it does.
pub(crate) const HEADERS: &[(&str, &str)] = &[
    (
        "Idempotency-Key",
        "1 to 255 visible ASCII characters. The same request with the same key is done once, and its answer is repeated.",
    ),
    (
        "Tracking-Key",
        "1 to 255 visible ASCII characters. With a known key nothing is started, and the answer shows the state of the first request.",
    ),
    ("If-Match", "The `ETag` that was read. The change is refused if a field was changed since."),
    ("If-None-Match", "The `ETag` that was read. The answer is 304 if nothing changed since."),
];
