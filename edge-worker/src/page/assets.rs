//! The style sheet and the page's module, as the build script found them.

/// The built module of the page. Paths are of this origin, hashes are subresource integrity values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Script {
    /// The JavaScript module.
    pub(super) path: &'static str,
    /// Its hash.
    pub(super) integrity: &'static str,
    /// The WebAssembly that it fetches.
    pub(super) wasm_path: &'static str,
    /// Its hash.
    pub(super) wasm_integrity: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/page_assets.rs"));
