//! The flexible methods that an SDK offers.

use alloc::string::String;

use super::SdkScene;
use crate::answer::method::method_members;
use crate::gateway::credentials::StoredCredential;
use crate::gateway::profile::Profile;
use crate::gateway::terms::Quote;
use crate::payment::payer::lacking;
use crate::route::Route;
use crate::sdk::flexible::{FlexMethod, PaymentOptions};

/// The credential that SDKs may know.
const PUBLIC_KEY: &str = "public_key";

/// One flexible method; `None` if it is none.
pub(super) fn flex_method(scene: &SdkScene<'_>, profile: &Profile, quote: Quote) -> Option<FlexMethod> {
    let flexible = profile.flexible()?;
    let SdkScene { transaction, public_url, situation, .. } = *scene;
    let address = |route: Route| alloc::format!("{public_url}{}", route.path());
    let members = method_members(transaction, profile, quote, public_url);
    let public_key = match profile.credentials.get(PUBLIC_KEY) {
        Some(StoredCredential::Public(key)) => key.clone(),
        Some(StoredCredential::Secret(_)) | None => String::new(),
    };
    Some(FlexMethod {
        amount: members.amount,
        code: members.code,
        country: situation.settings.country.clone(),
        currency_code: members.currency_code,
        description: members.name,
        fee: members.fee,
        fee_description: members.fee_description,
        flow: flexible.flow.into(),
        icons: members.icons,
        pg_code: profile.code.clone(),
        pre_payment_check_url: address(Route::SdkCheckOption(transaction.session_id.clone())),
        pre_payment_options: PaymentOptions {
            required: lacking(&transaction.details, &situation.settings.country, flexible),
        },
        pre_payment_options_available: flexible.asks_first,
        public_key,
        submit_url: address(Route::SdkSubmit(transaction.session_id.clone())),
        kind: members.kind,
    })
}
