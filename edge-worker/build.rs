//! What the hosted page needs to know of the files next to the Worker: the style sheets that it carries, and
//! the names and hashes of the built page module, and what the inventory of scripts lists. All end up in `OUT_DIR/page_assets.rs`, which
//! `src/page/assets.rs` includes.
//!
//! Without a built module the page is rendered without a script: it then works as a plain form.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

const STYLE: &str = "../www/checkout.css";
const OUTCOME: &str = "../www/outcome.css";
const AMOUNT: &str = "../www/amount.css";
const DESK: &str = "../www/desk.css";
const MANIFEST: &str = "../www/pkg/manifest.json";
const HEADERS: &str = "../www/_headers";
const RECEIPT: &str = "../www/receipt/verify.html";
const INVENTORY: &str = "../www/script-inventory.json";

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    for file in [STYLE, OUTCOME, AMOUNT, DESK, MANIFEST, INVENTORY, HEADERS, RECEIPT] {
        println!("cargo::rerun-if-changed={file}");
    }
    let sheet = |path| -> Result<(String, String), Box<dyn Error>> {
        let text = compact(&fs::read_to_string(root.join(path))?);
        let hash = format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())));
        Ok((text, hash))
    };
    let (style, style_hash) = sheet(STYLE)?;
    let (outcome, outcome_hash) = sheet(OUTCOME)?;
    let (amount, amount_hash) = sheet(AMOUNT)?;
    let script = script(&root.join(MANIFEST))?;
    let published = published(&root.join(INVENTORY))?;

    let mut source = String::new();
    writeln!(source, "/// The style sheet, as it is in the page.")?;
    writeln!(source, "pub(super) const STYLE: &str = {style:?};")?;
    writeln!(source, "/// Its hash, as a source of the policy.")?;
    writeln!(source, "pub(super) const STYLE_HASH: &str = {style_hash:?};")?;
    writeln!(source, "/// The sheet that follows it on pages on which nothing can be paid.")?;
    writeln!(source, "pub(super) const OUTCOME: &str = {outcome:?};")?;
    writeln!(source, "/// Its hash, as a source of the policy.")?;
    writeln!(source, "pub(super) const OUTCOME_HASH: &str = {outcome_hash:?};")?;
    writeln!(source, "/// The sheet that follows it on pages with an amount to type.")?;
    writeln!(source, "pub(super) const AMOUNT: &str = {amount:?};")?;
    writeln!(source, "/// Its hash, as a source of the policy.")?;
    writeln!(source, "pub(super) const AMOUNT_HASH: &str = {amount_hash:?};")?;
    writeln!(source, "/// The page's module, where it is built.")?;
    writeln!(source, "pub(super) const SCRIPT: Option<Script> = {script};")?;
    writeln!(source, "/// What is served to pages, by the inventory of scripts.")?;
    writeln!(source, "pub(super) const PUBLISHED: &[Published] = &[{published}];")?;
    writeln!(source, "/// The SHA-256 of the page that checks receipts.")?;
    let receipt: [u8; 32] = Sha256::digest(fs::read(root.join(RECEIPT))?).into();
    writeln!(source, "pub(super) const RECEIPT_SHA256: [u8; 32] = {receipt:?};")?;
    writeln!(source, "/// The headers of its folder.")?;
    let headers = headers_of(&fs::read_to_string(root.join(HEADERS))?, "/receipt/*");
    writeln!(source, "pub(super) const RECEIPT_HEADERS: &[(&str, &str)] = &{headers:?};")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("desk_assets.rs"), desk(&root)?)?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("page_assets.rs"), source)?;
    Ok(())
}

/// The style sheet of the desk, whose name changes with its text, and its script.
fn desk(root: &Path) -> Result<String, Box<dyn Error>> {
    let text = compact(&fs::read_to_string(root.join(DESK))?);
    let mut name = String::new();
    for byte in Sha256::digest(text.as_bytes()).iter().take(8) {
        write!(name, "{byte:02x}")?;
    }
    let script = desk_script(&root.join(MANIFEST))?;
    Ok(format!(
        "/// The style sheet.\npub(super) const STYLE: &str = {text:?};\n/// Its name.\npub(super) const STYLE_NAME: &str = \"{name}.css\";\n\
         /// The path and the hash of the script, where it is built.\npub(super) const SCRIPT: Option<(&str, &str)> = {script};\n"
    ))
}

/// The script of the desk as a Rust expression.
fn desk_script(manifest: &Path) -> Result<String, Box<dyn Error>> {
    let Ok(bytes) = fs::read(manifest) else { return Ok("None".into()) };
    let built: serde_json::Value = serde_json::from_slice(&bytes)?;
    let text = |pointer: &str| built.pointer(pointer).and_then(serde_json::Value::as_str);
    Ok(match (text("/desk/path"), text("/desk/integrity")) {
        (Some(path), Some(integrity)) => format!("Some(({path:?}, {integrity:?}))"),
        _ => "None".into(),
    })
}

/// The built module as a Rust expression.
fn script(manifest: &Path) -> Result<String, Box<dyn Error>> {
    let public = manifest.parent().and_then(Path::parent).ok_or("the manifest must be in www/pkg")?;
    let built: serde_json::Value = match fs::read(manifest) {
        Ok(bytes) => serde_json::from_slice(&bytes)?,
        Err(_) => serde_json::Value::Null,
    };
    // An older build has other files.
    if built.get("first").is_none() {
        println!(
            "cargo::warning=www/pkg is not built: the hosted page has no script (node scripts/build.mjs page)"
        );
        return Ok("None".into());
    }
    let text = |pointer: &str| {
        let text = built.pointer(pointer).and_then(serde_json::Value::as_str);
        text.ok_or_else(|| format!("{MANIFEST} must have a text at {pointer}"))
    };
    let first = public.join(text("/first/path")?.trim_start_matches('/'));
    Ok(format!(
        "Some(Script {{ path: {:?}, integrity: {:?}, wasm_path: {:?}, wasm_integrity: {:?}, first: {:?}, first_integrity: {:?} }})",
        text("/script/path")?,
        text("/script/integrity")?,
        text("/wasm/path")?,
        text("/wasm/integrity")?,
        fs::read_to_string(first)?,
        text("/first/integrity")?,
    ))
}

/// The entries of the inventory as Rust expressions; none if nothing is built.
fn published(inventory: &Path) -> Result<String, Box<dyn Error>> {
    if !inventory.exists() {
        return Ok(String::new());
    }
    let inventory: serde_json::Value = serde_json::from_slice(&fs::read(inventory)?)?;
    let scripts = inventory.get("scripts").and_then(serde_json::Value::as_array);
    let mut entries = String::new();
    for script in scripts.ok_or("the inventory must have a list of scripts")? {
        let text = |name: &str| {
            let text = script.get(name).and_then(serde_json::Value::as_str);
            text.ok_or_else(|| format!("a script of the inventory must have {name}"))
        };
        let digest = text("sha256")?.strip_prefix("sha256-").ok_or("a hash must be of SHA-256")?;
        let digest = STANDARD.decode(digest).map_err(|error| error.to_string())?;
        write!(entries, "Published {{ path: {:?}, sha256: {digest:?} }}, ", text("path")?)?;
    }
    Ok(entries)
}

/// The headers that `_headers` gives the files of a folder, by lower-case names.
fn headers_of(text: &str, folder: &str) -> Vec<(String, String)> {
    let lines = text.lines().skip_while(|line| *line != folder).skip(1);
    let lines = lines.take_while(|line| line.starts_with(' ')).filter_map(|line| line.split_once(':'));
    lines.map(|(name, value)| (name.trim().to_lowercase(), value.trim().to_owned())).collect()
}

/// The style sheet without comments, indentation, and spaces that separate nothing. Its strings contain none
/// of these.
fn compact(style: &str) -> String {
    let mut parts = style.split("/*");
    let mut text = String::from(parts.next().unwrap_or_default());
    for part in parts {
        text.push_str(part.split_once("*/").map_or("", |(_, rest)| rest));
    }
    let mut compact: String = text.lines().map(str::trim).collect();
    for (blank, short) in [
        ("{ ", "{"),
        (" {", "{"),
        (" }", "}"),
        ("; ", ";"),
        (": ", ":"),
        (", ", ","),
        (" > ", ">"),
        (" !", "!"),
        (";}", "}"),
    ] {
        compact = compact.replace(blank, short);
    }
    compact
}
