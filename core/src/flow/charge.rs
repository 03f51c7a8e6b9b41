//! The one sequence in which money is charged: what waits elsewhere is withdrawn, the attempt is stored, the gateway is
//! asked, and its answer is stored. The hosted page, SDKs and the native operations share it.

mod attempt;
mod card;
pub(super) mod limit;
pub(crate) mod once;
mod open;
mod plan;
mod price;
mod replace;
mod room;
mod routed;
pub(super) mod routing;

pub(crate) use plan::{Agreed, Charged, PageReader, PaymentPurpose, Plan, ServerOrder};
pub(crate) use price::{check_shown, check_unchanged};
pub(crate) use replace::replace_and_charge;
pub(crate) use room::{Room, make_room};
pub(crate) use routed::charge_routed;
