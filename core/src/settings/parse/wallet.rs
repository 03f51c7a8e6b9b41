//! The device wallets of a gateway: which it accepts, and how they are offered on pages.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::reader::{At, DocumentReader, join};
use crate::gateway::wallet::{ApplePay, Environment, GooglePay};
use crate::value::text::is_host_name;
use crate::value::web_address::AddressError;
use crate::violation::Rule;
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::Wallet;

/// The longest ids and names.
const MAX_MERCHANT_ID: usize = 100;
const MAX_SHOP_NAME: usize = 255;
const MAX_DOMAIN: usize = 255;
const MAX_GATEWAY: usize = 24;
const MAX_GATEWAY_MERCHANT_ID: usize = 256;
const MAX_GOOGLE_NAME: usize = 25;

impl DocumentReader<'_> {
    pub(super) fn wallets(&mut self, path: &str, object: &Members<'_>) -> Vec<Wallet> {
        let mut wallets = Vec::new();
        for (place, item) in self.list(path, object, "wallets").iter().enumerate() {
            match text_of(item).and_then(|word| Wallet::parse(&word)) {
                Some(wallet) => wallets.push(wallet),
                None => self.found.add(format!("{path}.wallets.{place}"), Rule::OneOf(Wallet::WORDS)),
            }
        }
        wallets
    }

    /// How Apple Pay is offered; `None` if it is not offered on pages.
    pub(super) fn apple_pay(&mut self, path: &str, object: &Members<'_>) -> Option<ApplePay> {
        let (path, inner) = self.of_wallet(path, object, Wallet::ApplePay)?;
        let merchant_id = self.line(&path, &inner, "merchant_id", MAX_MERCHANT_ID);
        let shop_name = self.perhaps(&path, &inner, "shop_name", MAX_SHOP_NAME);
        let domain = self.perhaps(&path, &inner, "domain", MAX_DOMAIN);
        if domain.as_deref().is_some_and(|domain| !is_host_name(domain)) {
            self.found.add(join(&path, "domain"), Rule::Address(AddressError::NotPublic));
        }
        Some(ApplePay { merchant_id: merchant_id?, shop_name, domain })
    }

    /// How Google Pay is offered; `None` if it is not offered on pages.
    pub(super) fn google_pay(&mut self, path: &str, object: &Members<'_>) -> Option<GooglePay> {
        let (path, inner) = self.of_wallet(path, object, Wallet::GooglePay)?;
        let environment = self.word(
            At { base: &path, name: "environment" },
            &inner,
            Environment::WORDS,
            Environment::parse,
        );
        let gateway = self.line(&path, &inner, "gateway", MAX_GATEWAY);
        let gateway_merchant_id = self.line(&path, &inner, "gateway_merchant_id", MAX_GATEWAY_MERCHANT_ID);
        let merchant_id = self.line(&path, &inner, "merchant_id", MAX_MERCHANT_ID);
        let merchant_name = self.line(&path, &inner, "merchant_name", MAX_GOOGLE_NAME);
        Some(GooglePay {
            environment: environment?,
            gateway: gateway?,
            gateway_merchant_id: gateway_merchant_id?,
            merchant_id: merchant_id?,
            merchant_name: merchant_name?,
        })
    }

    /// The object of a wallet with its path. If the wallet's word is not in `wallets`, the object is checked
    /// but has no effect, so that a wallet can be switched off and on.
    fn of_wallet<'m>(
        &mut self,
        path: &str,
        object: &Members<'m>,
        wallet: Wallet,
    ) -> Option<(String, Members<'m>)> {
        let name = wallet.as_str();
        object.get(name)?;
        let inner = self.object(path, object, name)?;
        Some((join(path, name), inner))
    }

    /// A line that may be left out.
    fn perhaps(&mut self, path: &str, object: &Members<'_>, name: &str, max: usize) -> Option<String> {
        object.get(name)?;
        self.line(path, object, name, max)
    }
}
