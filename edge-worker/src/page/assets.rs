//! The style sheet, the page's module and the inventory of scripts, as the build script found them.

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
    /// The script that a page with wallets carries in its head.
    pub(super) first: &'static str,
    /// Its hash.
    pub(super) first_integrity: &'static str,
}

/// A file that the inventory of scripts lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Published {
    /// Its address, of this origin.
    pub(super) path: &'static str,
    /// The SHA-256 of its bytes.
    pub(super) sha256: [u8; 32],
}

include!(concat!(env!("OUT_DIR"), "/page_assets.rs"));
