//! The style sheet, as the build script found it.

include!(concat!(env!("OUT_DIR"), "/desk_assets.rs"));
