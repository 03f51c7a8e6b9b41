//! What readers are given to read the bodies from which the description is printed.

use checkout_core::installation::Installation;
use checkout_core::settings::MerchantSettings;

/// What the readers need to know.
pub(crate) struct Context<'a> {
    pub(crate) installation: &'a Installation,
    pub(crate) settings: &'a MerchantSettings,
}
