//! The single sign-on of a settings document.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use super::reader::{DocumentReader, join};
use crate::settings::sign_on::{Client, SingleSignOn};
use crate::value::sealed::Sealed;
use crate::violation::{AccessRule, Rule};
use crate::wire::json::text_of;
use crate::wire::members::Members;
use crate::words::signing::SigningAlgorithm;

const NAME: &str = "single_sign_on";
/// The members that are known. Any other would be stored as it is, and shown: it could be a secret under a wrong name.
const MEMBERS: [&str; 10] = [
    "issuer",
    "audience",
    "username_claim",
    "algorithms",
    "max_life_seconds",
    "accepts_basic",
    "accepts_desk",
    "accepts_users_with_password",
    "client_id",
    "client_secret",
];
/// The longest audience, claim, and id and secret of a client.
const MAX_AUDIENCE: usize = 255;
const MAX_CLAIM: usize = 64;
const MAX_CLIENT_ID: usize = 255;
const MAX_SECRET: usize = 512;
const DEFAULT_CLAIM: &str = "preferred_username";
/// For how long tokens live at most, in seconds: a day, if the document does not say.
const DEFAULT_LIFE: u64 = 86_400;
const MIN_LIFE: u64 = 60;
const MAX_LIFE: u64 = 604_800;

impl DocumentReader<'_> {
    /// The single sign-on; `None` if there is none.
    pub(super) fn single_sign_on(&mut self, root: &Members<'_>) -> Option<SingleSignOn> {
        root.get(NAME)?;
        let object = self.object("", root, NAME)?;
        if self.installation.is_some() {
            for (name, _) in object.all().filter(|(name, _)| !MEMBERS.contains(name)) {
                self.found.add(join(NAME, name), Rule::NotKnown);
            }
        }
        let issuer = self.issuer(&object);
        let audience = self.line(NAME, &object, "audience", MAX_AUDIENCE);
        let username_claim = match object.get("username_claim") {
            None => Some(DEFAULT_CLAIM.into()),
            Some(_) => self.line(NAME, &object, "username_claim", MAX_CLAIM),
        };
        let algorithms = self.algorithms(&object);
        let max_life = self.max_life(&object);
        let accepts_users_with_password = self.flag(NAME, &object, "accepts_users_with_password", false);
        let (password_client, desk_client) = self.clients(&object);
        Some(SingleSignOn {
            issuer: issuer?,
            audience: audience?,
            username_claim: username_claim?,
            algorithms,
            max_life,
            accepts_users_with_password,
            password_client,
            desk_client,
        })
    }

    /// The provider as it writes itself, which is compared letter by letter: an address without query and fragment that no
    /// parser would write in another way, except for the slash of an address without a path.
    fn issuer(&mut self, object: &Members<'_>) -> Option<String> {
        let address = match object.get("issuer") {
            None => return self.refuse(join(NAME, "issuer"), Rule::Required),
            Some(_) => self.address(NAME, object, "issuer")?,
        };
        let text = self.text(NAME, object, "issuer")?;
        let is_same = address.as_str().strip_prefix(&*text).is_some_and(|rest| matches!(rest, "" | "/"));
        if is_same && !text.contains(['?', '#']) {
            Some(text.into_owned())
        } else {
            self.refuse(join(NAME, "issuer"), Rule::Access(AccessRule::NotIssuer))
        }
    }

    /// The algorithms; all of them if the document does not say.
    fn algorithms(&mut self, object: &Members<'_>) -> Vec<SigningAlgorithm> {
        if object.get("algorithms").is_none() {
            return SigningAlgorithm::ALL.into();
        }
        let items = self.list(NAME, object, "algorithms");
        let path = join(NAME, "algorithms");
        if items.is_empty() && !self.found.has(&path) {
            self.found.add(path.clone(), Rule::EmptyList);
        }
        let mut algorithms = Vec::with_capacity(items.len());
        for (place, item) in items.iter().enumerate() {
            let rule = match text_of(item).and_then(|word| SigningAlgorithm::parse(&word)) {
                None => Rule::OneOf(SigningAlgorithm::WORDS),
                Some(algorithm) if algorithms.contains(&algorithm) => Rule::Repeated,
                Some(algorithm) => {
                    algorithms.push(algorithm);
                    continue;
                }
            };
            self.found.add(format!("{path}.{place}"), rule);
        }
        algorithms
    }

    fn max_life(&mut self, object: &Members<'_>) -> Duration {
        let given = object.get("max_life_seconds").map(|raw| raw.get().parse().ok());
        let seconds = match given {
            None => DEFAULT_LIFE,
            Some(Some(seconds)) if (MIN_LIFE..=MAX_LIFE).contains(&seconds) => seconds,
            Some(_) => {
                let rule = Rule::NotInteger { min: 60, max: 604_800 };
                self.found.add(join(NAME, "max_life_seconds"), rule);
                DEFAULT_LIFE
            }
        };
        Duration::from_secs(seconds)
    }

    /// The client for names and passwords, and the one for the desk. Where it is not wanted, it is checked but has no effect, so
    /// that this can be switched off and on.
    fn clients(&mut self, object: &Members<'_>) -> (Option<Client>, Option<Client>) {
        let accepts_basic = self.flag(NAME, object, "accepts_basic", false);
        let accepts_desk = self.flag(NAME, object, "accepts_desk", false);
        let given = |name: &str| object.get(name).is_some();
        let secret = given("client_secret").then(|| self.client_secret(object)).flatten();
        if !given("client_id") {
            let needing = ["accepts_basic", "accepts_desk", "client_secret"];
            let needs = [accepts_basic, accepts_desk, given("client_secret")];
            for (name, _) in needing.into_iter().zip(needs).filter(|(_, needs)| *needs) {
                self.found.add(join(NAME, name), Rule::Needs("client_id"));
            }
            return (None, None);
        }
        let Some(id) = self.line(NAME, object, "client_id", MAX_CLIENT_ID) else { return (None, None) };
        let client = Client { id, secret };
        (accepts_basic.then(|| client.clone()), accepts_desk.then_some(client))
    }

    /// The secret of the client. In a stored document it is sealed, and its length was checked when it came in.
    fn client_secret(&mut self, object: &Members<'_>) -> Option<Sealed> {
        if self.installation.is_none() {
            return self.text(NAME, object, "client_secret").map(|text| Sealed(text.into_owned()));
        }
        self.line(NAME, object, "client_secret", MAX_SECRET).map(Sealed)
    }
}
