//! A merchant who routes: three of its gateways are one method for the payer, two of them take the same wallet, and a
//! gateway that fails is skipped for a while.

use std::collections::BTreeMap;

use checkout_core::port::Decisions;
use checkout_core::record::decision::{Basis, GatewayFinding};
use pollster::block_on;
use serde_json::{Value, json};

use crate::scene::Scene;

/// The gateways that are one method, in the order in which a rule puts them.
const GROUP: [&str; 3] = ["credit-card", "queued", "knet"];

fn gateways(settings: &mut Value) -> &mut Vec<Value> {
    settings.get_mut("gateways").and_then(Value::as_array_mut).unwrap()
}

fn code(gateway: &Value) -> &str {
    gateway.get("code").and_then(Value::as_str).unwrap()
}

/// Makes gateways one method: they cost the same, and those of the simulated bank take the same wallets.
pub(crate) fn group(settings: &mut Value) {
    let gateways = gateways(settings);
    let cards = gateways.iter().find(|gateway| code(gateway) == "credit-card").cloned().unwrap();
    for gateway in gateways.iter_mut().filter(|gateway| GROUP.contains(&code(gateway))) {
        let is_queued = code(gateway) == "queued";
        let members = gateway.as_object_mut().unwrap();
        members.insert("group".into(), json!("card"));
        members.insert("fees".into(), json!([]));
        for name in ["wallets", "apple_pay", "google_pay"].into_iter().filter(|_| is_queued) {
            members.insert(name.into(), cards.get(name).cloned().unwrap_or_default());
        }
    }
}

/// Orders what is left of the group by a rule.
pub(crate) fn order(settings: &mut Value) {
    let known: Vec<String> = gateways(settings).iter().map(|gateway| code(gateway).to_owned()).collect();
    let listed = GROUP.into_iter().filter(|code| known.iter().any(|known| known == code));
    let listed: Vec<Value> = listed.map(|code| json!({ "code": code })).collect();
    let rules = json!([{ "name": "cards", "when": { "currencies": ["KWD"] }, "gateways": listed }]);
    let rules = if listed.is_empty() { json!([]) } else { rules };
    let routing = json!({ "rules": rules, "skip_after": 2, "skip_seconds": 60 });
    settings.as_object_mut().unwrap().insert("routing".into(), routing);
}

/// Checks what was decided: a decision belongs to an attempt at its gateway, and an attempt that replaces another one is
/// the only one that does, and replaces nothing that may have been charged.
pub(crate) fn check(scene: &Scene) {
    let store = &scene.world.inner.store;
    for transaction in store.transactions() {
        let attempts = store.attempts(&transaction.session_id);
        let find = |reference: &_| attempts.iter().find(|attempt| attempt.reference == *reference);
        let mut replaced = Vec::new();
        for decision in block_on(store.decisions(&transaction.session_id)).unwrap() {
            let reference = &decision.reference;
            let is_its = find(reference).is_some_and(|attempt| decision.chosen() == Some(&attempt.pg_code));
            scene
                .weather
                .holds(is_its, || format!("{reference} has no attempt at its gateway: {decision:?}"));
            let is_fallback = decision.basis == Basis::Fallback;
            scene
                .weather
                .holds(is_fallback == decision.replaces.is_some(), || format!("wrong: {decision:?}"));
            let Some(before) = &decision.replaces else { continue };
            scene.weather.holds(!replaced.contains(before), || format!("{before} is replaced twice"));
            replaced.push(before.clone());
            let failed = find(before);
            let is_named = |code| decision.gateways.contains(&(code, GatewayFinding::NotReached));
            let is_known = failed.is_some_and(|failed| is_named(failed.pg_code.clone()));
            scene.weather.holds(is_known, || format!("{reference} replaces {before}: {decision:?}"));
        }
    }
}

/// How many payments went to another gateway.
pub(crate) fn tally(scene: &Scene) -> BTreeMap<String, u32> {
    let store = &scene.world.inner.store;
    let mut tally = BTreeMap::<String, u32>::new();
    for transaction in store.transactions() {
        for decision in block_on(store.decisions(&transaction.session_id)).unwrap() {
            let known = tally.entry(format!("routed by {}", decision.basis.as_str())).or_default();
            *known = known.saturating_add(1);
        }
    }
    tally
}
