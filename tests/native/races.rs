//! Every order of events, races, faults of the store, and what a simulation has found.

mod agreements_model;
mod approval_races;
mod faults;
mod interleavings;
mod model;
mod operations_model;
mod regressions;
