//! For what tries to sign in are counted, and how many are let through.
//!
//! Decisions: nobody locks a user out. Wrong passwords that others send count for the name, too, but a network from which the
//! name signed in rightly within [`PLACE_LIFE`] is not refused for them: it has a limit of its own, for its own tries of this
//! name. What a provider is asked about a name is limited for all other networks together, because the provider may lock the
//! name itself.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::proof::Proof;
use crate::port::{PLACE_LIFE, PortError, TrySubject, Users, World};
use crate::value::digest::digest;
use crate::value::time::Timestamp;

/// The most wrong passwords for one name from one network in a period.
const MOST_TOGETHER: u32 = 10;
/// The most for one name at one provider, wherever they come from. A server sends many requests while it answers the first.
const MOST_AT_PROVIDER: u32 = 30;
/// The most from one network, whatever the name.
const MOST_OF_ADDRESS: u32 = 30;
/// The most for one name, wherever they come from.
const MOST_OF_NAME: u32 = 100;
/// The most for one name from a network from which it signed in rightly of late.
const MOST_OF_PLACE: u32 = 100;

/// A try.
pub(super) struct SignInTry<'a> {
    name: &'a str,
    network: Option<String>,
    /// The name and the network together; `None` if the network is not known.
    pub(super) place: Option<String>,
    issuer: Option<&'a str>,
}

/// What was counted.
pub(super) struct Counted {
    /// For what.
    pub(super) subjects: Vec<TrySubject>,
    /// Until when the try is refused, if it is.
    pub(super) blocked_until: Option<Timestamp>,
}

impl<'a> SignInTry<'a> {
    pub(super) fn of(world: &impl World, name: &'a str, proof: &'a Proof) -> Self {
        let network = world.scope().network.map(|network| network.to_string());
        let place = network.as_ref().map(|network| digest(&["place", name, network]));
        let issuer = match proof {
            Proof::Provider { issuer, .. } => Some(&**issuer),
            Proof::Hash(_) => None,
        };
        Self { name, network, place, issuer }
    }

    /// Counts the try.
    ///
    /// # Errors
    /// If the store fails.
    pub(super) async fn count(&self, world: &impl World, now: Timestamp) -> Result<Counted, PortError> {
        let subjects = self.subjects();
        let blocked_until = world.directory().count_tries(&subjects, now).await?;
        let Some(place) = self.place.as_deref().filter(|_| blocked_until.is_some()) else {
            return Ok(Counted { subjects, blocked_until });
        };
        if !world.directory().knows_place(place, now.minus(PLACE_LIFE)).await? {
            return Ok(Counted { subjects, blocked_until });
        }
        let most = if self.issuer.is_some() { MOST_AT_PROVIDER } else { MOST_OF_PLACE };
        let own = Vec::from([TrySubject { key: digest(&["known", place]), most }]);
        let blocked_until = world.directory().count_tries(&own, now).await?;
        Ok(Counted { subjects: subjects.into_iter().chain(own).collect(), blocked_until })
    }

    /// For what it is counted. Where the network is not known, nothing is counted for it alone.
    fn subjects(&self) -> Vec<TrySubject> {
        let subject = |parts: [&str; 3], most| TrySubject { key: digest(&parts), most };
        let network = self.network.as_deref();
        let mut subjects = Vec::from([subject(["name", self.name, ""], MOST_OF_NAME)]);
        subjects.push(match self.issuer {
            Some(issuer) => subject(["provider", issuer, self.name], MOST_AT_PROVIDER),
            None => subject(["together", self.name, network.unwrap_or_default()], MOST_TOGETHER),
        });
        subjects.extend(network.map(|network| subject(["address", network, ""], MOST_OF_ADDRESS)));
        subjects
    }
}
