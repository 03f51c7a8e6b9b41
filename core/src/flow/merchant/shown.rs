//! The body with which creating and updating answer: the transaction, and what the request asked to see once.

use alloc::string::String;
use alloc::vec::Vec;

use crate::answer::sdk::{Audience, Scene, checkout_sdk};
use crate::answer::source::Source;
use crate::answer::view::{Asked, view};
use crate::attempt::Attempt;
use crate::draft::flags::Flags;
use crate::flow::find::card::offered_cards;
use crate::installation::Installation;
use crate::port::{PortError, World};
use crate::settings::situation::Situation;
use crate::transaction::Transaction;
use crate::transaction::raw::StoredDetails;

/// A transaction, and what is shown with it only this once.
pub(super) struct Shown<'a> {
    pub(super) transaction: &'a Transaction,
    pub(super) details: &'a StoredDetails,
    pub(super) latest: Option<&'a Attempt>,
    pub(super) flags: Flags,
    pub(super) asked: Asked<'static>,
    /// Whether the reader may know the tokens of the customer's cards.
    pub(super) has_cards: bool,
}

impl Shown<'_> {
    /// The JSON body.
    ///
    /// # Errors
    /// A failure of the world.
    pub(super) async fn body(self, world: &impl World, situation: &Situation) -> Result<String, PortError> {
        let Self { transaction, details, latest, flags, asked, has_cards } = self;
        let installation = world.installation();
        let cards = if flags.include_sdk_setup_preload && has_cards {
            offered_cards(world, transaction, situation).await?
        } else {
            Vec::new()
        };
        let Installation { public_url, reach, .. } = installation;
        let (audience, cards) = (Audience::Merchant, cards.as_slice());
        let scene = Scene { transaction, latest, situation, public_url, reach: *reach, audience, cards };
        let sdk = flags.include_sdk_setup_preload.then(|| checkout_sdk(&scene));
        let asked = Asked { sdk, ..asked };
        let source = Source {
            transaction: transaction.raw(details).ok_or_else(PortError::unreadable)?,
            has_open_attempt: Attempt::has_open(latest),
            situation,
            public_url,
        };
        Ok(view(source, &asked))
    }
}
