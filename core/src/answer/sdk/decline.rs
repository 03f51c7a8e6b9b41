//! Why a payment was declined, as a checkout SDK gets it.

use alloc::string::ToString;

use crate::sdk::callback::{Decline, InBoth};
use crate::strings::Strings;
use crate::words::Language;
use crate::words::decline::DeclineReason;
use crate::words::payment_type::PaymentType;

/// Decision: a reason that the payer must not read, such as that of a stolen card, is not in the answer at all.
pub(super) fn decline(reason: DeclineReason, payment_type: PaymentType) -> Option<Decline> {
    let text = |language| Strings::of(language).decline(reason, payment_type);
    let text = InBoth { ar: text(Language::Ar)?.to_string(), en: text(Language::En)?.to_string() };
    Some(Decline { reason, text })
}
