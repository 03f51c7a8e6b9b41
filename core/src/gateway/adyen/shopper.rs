//! Adyen's reference of a payer: the merchant's id of the customer, in a form that Adyen takes.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

use crate::gateway::payer::Payer;

/// The fewest characters of a reference. An id of a customer has at least one, and never more than Adyen takes.
const FEWEST: usize = 3;
/// How the reference of an id that is too short begins, and that of one that begins so itself: no two ids have the same one.
const MARK: &str = "short-id-";

/// The reference of a payer who has an id.
pub(super) fn reference(payer: &Payer) -> Option<Cow<'_, str>> {
    let id = payer.id.as_deref().filter(|id| !id.is_empty())?;
    let is_marked = id.chars().count() < FEWEST || id.starts_with(MARK);
    Some(if is_marked { Cow::Owned(format!("{MARK}{id}")) } else { Cow::Borrowed(id) })
}

/// The id of the customer that a reference names.
pub(super) fn customer(reference: &str) -> String {
    reference.strip_prefix(MARK).unwrap_or(reference).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn every_id_has_a_reference_of_its_own_that_leads_back() {
        let ids = ["7", "77", "é", "777", "short-id-7", "short-id-short-id-7", "short-id-", "c", "shop 1"];
        let of = |id: &str| {
            let payer = Payer { id: Some(id.into()), ..Payer::default() };
            reference(&payer).unwrap().into_owned()
        };
        for id in ids {
            assert!((3..=256).contains(&of(id).chars().count()), "{id}");
            assert_eq!(customer(&of(id)), id);
        }
        let references: BTreeSet<String> = ids.into_iter().map(of).collect();
        assert_eq!(references.iter().len(), ids.len());
        assert_eq!(of("customer-7"), "customer-7", "an id that Adyen takes stays as it is");
        assert_eq!(reference(&Payer::default()), None);
        assert!(of(&"c".repeat(64)).len() == 64 && of(&format!("{MARK}{}", "7".repeat(55))).len() < 256);
    }
}
