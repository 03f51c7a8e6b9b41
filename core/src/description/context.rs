//! What readers are given to read the bodies from which the description is printed.

use crate::installation::Installation;
use crate::settings::MerchantSettings;

/// What the readers need to know.
pub(super) struct Context<'a> {
    pub(super) installation: &'a Installation,
    pub(super) settings: &'a MerchantSettings,
}
