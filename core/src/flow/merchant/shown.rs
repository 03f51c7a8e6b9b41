//! The body with which creating and updating answer: the transaction, and what the request asked to see once.

use alloc::string::String;
use alloc::vec::Vec;

use crate::answer::sdk::{Scene, checkout_sdk};
use crate::answer::source::Source;
use crate::answer::view::{Asked, view};
use crate::attempt::Attempt;
use crate::draft::flags::Flags;
use crate::flow::card::offered_cards;
use crate::port::{PortError, World};
use crate::settings::MerchantSettings;
use crate::transaction::Transaction;
use crate::value::time::Timestamp;

/// A transaction, and what is shown with it only this once.
pub(super) struct Shown<'a> {
    pub(super) transaction: &'a Transaction,
    pub(super) latest: Option<&'a Attempt>,
    pub(super) flags: Flags,
    pub(super) asked: Asked<'static>,
}

impl Shown<'_> {
    /// The JSON body.
    ///
    /// # Errors
    /// A failure of the world.
    pub(super) async fn body(
        self,
        world: &impl World,
        settings: &MerchantSettings,
        now: Timestamp,
    ) -> Result<String, PortError> {
        let Self { transaction, latest, flags, asked } = self;
        let installation = world.installation();
        let cards = if flags.include_sdk_setup_preload {
            offered_cards(world, transaction, settings, now).await?
        } else {
            Vec::new()
        };
        let source = Source {
            transaction,
            has_open_attempt: Attempt::has_open(latest),
            settings,
            public_url: &installation.public_url,
            now,
        };
        let scene = Scene::for_merchant(&source, latest, installation.reach, &cards);
        let sdk = flags.include_sdk_setup_preload.then(|| checkout_sdk(&scene));
        let asked = Asked { sdk, ..asked };
        Ok(view(&source, &asked))
    }
}
