//! When an auto debit that was declined is tried again, in a settings document.

use alloc::format;
use alloc::vec::Vec;

use super::reader::{DocumentReader, join};
use crate::settings::retries::{DebitRetries, MOST_STEPS, PAUSES, USUAL};
use crate::violation::Rule;
use crate::wire::members::Members;

const PATH: &str = "auto_debit.retries";

impl DocumentReader<'_> {
    /// The member `auto_debit.retries`: the pauses in hours after a reason, which take the place of the usual ones. Without
    /// the member nothing is tried again. A reason after which nothing may be tried is refused.
    pub(super) fn debit_retries(&mut self, root: &Members<'_>) -> Option<DebitRetries> {
        let around = Members::of(root.get("auto_debit")?)?;
        around.get("retries")?;
        let object = self.object("auto_debit", &around, "retries")?;
        for (name, _) in
            object.all().filter(|(name, _)| USUAL.iter().all(|(reason, _)| reason.as_str() != *name))
        {
            self.found.add(join(PATH, name), Rule::NotKnown);
        }
        let steps = USUAL.into_iter().map(|(reason, usual)| {
            let given = object.get(reason.as_str()).is_some();
            (reason, if given { self.pauses(&object, reason.as_str()) } else { usual.to_vec() })
        });
        Some(DebitRetries { steps: steps.collect() })
    }

    fn pauses(&mut self, object: &Members<'_>, name: &str) -> Vec<u32> {
        let items = self.list(PATH, object, name);
        if items.len() > MOST_STEPS {
            self.found.add(join(PATH, name), Rule::TooManyItems { max: MOST_STEPS });
        }
        let (min, max) = PAUSES;
        let mut pauses = Vec::new();
        for (place, item) in items.iter().enumerate() {
            match item.get().parse::<u32>() {
                Ok(hours) if (min..=max).contains(&hours) => pauses.push(hours),
                Ok(_) | Err(_) => {
                    let path = join(PATH, &format!("{name}.{place}"));
                    self.found.add(path, Rule::NotInteger { min: min.into(), max: max.into() });
                }
            }
        }
        pauses
    }
}
