//! What is answered if someone asks whether the Worker answers.

use schemars::JsonSchema;
use serde::Serialize;

/// The Worker answers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HealthAnswer {
    /// `ok`.
    #[schemars(extend("enum" = ["ok"]))]
    status: &'static str,
    /// The version of the Worker.
    version: &'static str,
    /// Whether the simulated bank is built in.
    sandbox: bool,
}

impl HealthAnswer {
    /// The answer of a Worker of this version.
    #[must_use]
    pub const fn of(version: &'static str, has_sandbox: bool) -> Self {
        Self { status: "ok", version, sandbox: has_sandbox }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_is_three_members() {
        let body = serde_json::to_string(&HealthAnswer::of("0.1.0", true)).unwrap();
        assert_eq!(body, r#"{"status":"ok","version":"0.1.0","sandbox":true}"#);
    }
}
