//! What of a gateway's answer is stored.

use alloc::string::String;

use crate::wire::tree::Tree;

/// The members of these names of an answer in JSON, at every level. The names are those of what is neither secret nor about the
/// payer.
pub(crate) fn only(body: &[u8], names: &[&str]) -> Option<String> {
    Some(with_only(Tree::parse(core::str::from_utf8(body).ok()?)?, names).to_json())
}

/// A tree has a limited number of levels.
fn with_only<'a>(tree: Tree<'a>, names: &[&str]) -> Tree<'a> {
    match tree {
        Tree::Object(members) => Tree::Object(
            members
                .into_iter()
                .filter(|(name, _)| names.contains(&name.as_ref()))
                .map(|(name, value)| (name, with_only(value, names)))
                .collect(),
        ),
        Tree::List(items) => Tree::List(items.into_iter().map(|item| with_only(item, names)).collect()),
        value @ (Tree::Text(_) | Tree::Other(_) | Tree::Hidden(..)) => value,
    }
}
