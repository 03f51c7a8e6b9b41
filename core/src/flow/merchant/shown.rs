//! The body with which creating and updating answer: the transaction, and what the request asked to see once.

use alloc::string::String;
use alloc::vec::Vec;

use crate::answer::sdk::{SdkAudience, SdkScene, checkout_sdk};
use crate::answer::source::ViewSource;
use crate::answer::view::{ViewOptions, view};
use crate::attempt::Attempt;
use crate::checkout::page;
use crate::draft::flags::Flags;
use crate::flow::Failure;
use crate::flow::find::card::offered_cards;
use crate::flow::find::tried_softly;
use crate::installation::Installation;
use crate::port::World;
use crate::settings::situation::Situation;
use crate::transaction::Transaction;

/// A transaction, and what is shown with it only this once.
pub(super) struct ShownOnce<'a> {
    pub(super) transaction: &'a Transaction,
    pub(super) latest: Option<&'a Attempt>,
    pub(super) flags: Flags,
    pub(super) asked: ViewOptions,
    /// Whether the reader may know the tokens of the customer's cards.
    pub(super) has_cards: bool,
}

impl ShownOnce<'_> {
    /// The JSON body.
    ///
    /// # Errors
    /// A failure of the world.
    pub(super) async fn body(self, world: &impl World, situation: &Situation) -> Result<String, Failure> {
        let Self { transaction, latest, flags, asked, has_cards } = self;
        let installation = world.installation();
        let cards = if flags.include_sdk_setup_preload && has_cards {
            offered_cards(world, transaction, situation).await?
        } else {
            Vec::new()
        };
        let Installation { public_url, reach, .. } = installation;
        let attempts =
            if flags.include_sdk_setup_preload { tried_softly(world, latest).await? } else { Vec::new() };
        let scene = SdkScene {
            transaction,
            latest,
            status: page::status(transaction, latest, situation.now).at(&situation.settings),
            attempts: &attempts,
            situation,
            public_url,
            reach: *reach,
            audience: SdkAudience::Merchant,
            cards: &cards,
        };
        let sdk = flags.include_sdk_setup_preload.then(|| checkout_sdk(&scene));
        let asked = ViewOptions { sdk, ..asked };
        let source =
            ViewSource { transaction, has_open_attempt: Attempt::has_open(latest), situation, public_url };
        Ok(view(source, &asked)?)
    }
}
