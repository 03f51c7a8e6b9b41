//! A world for tests: everything that [`port`](crate::port) asks for, in memory and under the test's control.
//! Built only with the feature `testing`, and for the unit tests of the core.
//!
//! ```
//! use checkout_core::port::{Clock, World as _};
//! use checkout_core::testing::world::World;
//!
//! let world = World::new(1);
//! let before = world.clock().now();
//! world.clock.advance(core::time::Duration::from_secs(60));
//! assert_eq!(world.clock().now().since(before).as_secs(), 60);
//! ```

pub mod cache;
pub mod clock;
pub mod contract;
pub mod files;
pub mod gateway;
pub mod http;
pub mod rng;
pub mod signatures;
pub mod signer;
pub mod store;
pub mod vault;
pub mod world;
