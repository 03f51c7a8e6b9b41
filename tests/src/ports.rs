//! What worlds in memory have in common.

/// The ports of the world in the field `$inner` that another world in memory takes over as they are. It is written in an
/// implementation of [`checkout_core::port::World`], which adds the others.
#[macro_export]
macro_rules! ports_of {
    ($inner:ident) => {
        type Clock = checkout_core::testing::clock::ManualClock;
        type Vault = checkout_core::testing::vault::OpenVault;
        type Signer = checkout_core::testing::signer::HashSigner;
        type Files = checkout_core::testing::files::MemoryFiles;
        type Signatures = checkout_core::testing::signatures::GivenSignatures;
        type Cache = checkout_core::testing::cache::MemoryCache;

        fn minutes_ahead(&self, zone: &str, at: checkout_core::value::time::Timestamp) -> Option<i16> {
            self.$inner.minutes_ahead(zone, at)
        }

        fn installation(&self) -> &checkout_core::port::Installation {
            &self.$inner.installation
        }

        fn operator_token(&self) -> &str {
            self.$inner.operator_token()
        }

        fn clock(&self) -> &Self::Clock {
            &self.$inner.clock
        }

        fn signer(&self) -> &Self::Signer {
            &checkout_core::testing::signer::HashSigner
        }

        fn vault(&self) -> &Self::Vault {
            &self.$inner.vault
        }

        fn signatures(&self) -> &Self::Signatures {
            &self.$inner.signatures
        }

        fn cache(&self) -> &Self::Cache {
            &self.$inner.cache
        }

        fn files(&self) -> &Self::Files {
            &self.$inner.files
        }

        fn post(&self, _: Vec<checkout_core::port::Ring>) {}

        fn limited(&self, limited: &checkout_core::port::Limited<'_>) {
            self.$inner.limited(limited);
        }

        fn miss_decline_code(&self, unmapped: &checkout_core::gateway::decline::Unmapped) {
            self.$inner.miss_decline_code(unmapped);
        }

        fn recalls_sign_in(&self, mark: &[u8]) -> bool {
            self.$inner.recalls_sign_in(mark)
        }

        fn remember_sign_in(&self, mark: &[u8]) {
            self.$inner.remember_sign_in(mark);
        }

        fn run_limits(&self) -> checkout_core::port::RunLimits {
            self.$inner.run_limits()
        }

        fn lanes(&self) -> Option<&std::cell::RefCell<checkout_core::port::Lanes>> {
            self.$inner.lanes()
        }

        fn operator_alerts(&self) -> Option<&checkout_core::port::OperatorAlerts> {
            self.$inner.operator_alerts()
        }
    };
}
