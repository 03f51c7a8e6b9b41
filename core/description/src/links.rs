//! Which operation can follow which, and with what of its answer.

use serde_json::{Map, Value, json};

/// The id of a transaction in the answer that shows it.
const SESSION: &str = "$response.body#/session_id";

/// The links of the successful answer of an endpoint.
pub(crate) fn of(endpoint: &str) -> Option<Value> {
    let in_path = |operation: &str, about: &str| json!({ "operationId": operation, "description": about, "parameters": { "session_id": SESSION } });
    let in_body = |operation: &str, about: &str, more: Value| {
        let mut body = json!({ "session_id": SESSION });
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        json!({ "operationId": operation, "description": about, "requestBody": body })
    };
    let links: &[(&str, Value)] = match endpoint {
        "create_transaction" => &[
            ("retrieve", in_path("retrieve_transaction", "Retrieve it.")),
            ("patch", in_path("patch_transaction", "Change some of it.")),
            ("replace", in_path("replace_transaction", "Replace it.")),
            ("routing", in_path("read_routing", "Read why its payments went to their gateways.")),
            ("operations", in_path("list_operations", "List its captures, refunds and voids.")),
            ("events", in_path("read_timeline", "Read what happened to it.")),
            ("operate", in_body("operate", "Cancel it.", json!({ "operation": "cancel" }))),
            ("inquire", in_body("inquire", "Ask how far its payment is.", json!({}))),
            ("sdk", in_path("sdk_init", "Show its payment methods on a page.")),
            ("submit", in_path("sdk_submit", "Begin its payment on a page.")),
            ("receipt", in_path("receipt", "Download its receipt once it has ended.")),
        ],
        "retrieve_transaction" | "replace_transaction" | "patch_transaction" => &[
            ("retrieve", in_path("retrieve_transaction", "Retrieve it again.")),
            ("patch", in_path("patch_transaction", "Change some of it.")),
            ("operate", in_body("operate", "Give the money back.", json!({ "operation": "refund" }))),
            ("inquire", in_body("inquire", "Ask how far its payment is.", json!({}))),
        ],
        "operate" | "inquire" | "pay_by_apple_pay" | "pay_by_google_pay" | "pay_in_cash" | "auto_debit" => &[
            ("retrieve", in_path("retrieve_transaction", "Retrieve the transaction.")),
            ("inquire", in_body("inquire", "Ask how far its payment is.", json!({}))),
        ],
        "add_merchant" => &[(
            "read",
            json!({
                "operationId": "read_merchant", "description": "Read it.",
                "parameters": { "merchant_id": "$response.body#/merchant_id" },
            }),
        )],
        "add_key" => &[(
            "revoke",
            json!({
                "operationId": "revoke_key", "description": "Revoke it.",
                "parameters": {
                    "merchant_id": "$response.body#/merchant_id", "prefix": "$response.body#/prefix",
                },
            }),
        )],
        _ => return None,
    };
    let links: Map<String, Value> = links.iter().map(|(name, link)| ((*name).into(), link.clone())).collect();
    Some(links.into())
}
