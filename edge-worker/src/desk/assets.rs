//! The style sheet and the script, as the build script found them.

include!(concat!(env!("OUT_DIR"), "/desk_assets.rs"));
