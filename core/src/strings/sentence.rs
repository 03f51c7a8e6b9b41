//! Sentences with places for values: `{merchant} cancelled this payment.`

/// A part of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Words(&'static str),
    /// The place of the value with this name.
    Place(&'static str),
}

/// The parts of a sentence, in order.
///
/// ```
/// use checkout_core::strings::sentence::{Piece, pieces};
///
/// let parts: Vec<Piece> = pieces("Ask {merchant} for it.").collect();
/// assert_eq!(parts, [Piece::Words("Ask "), Piece::Place("merchant"), Piece::Words(" for it.")]);
/// ```
pub fn pieces(sentence: &'static str) -> impl Iterator<Item = Piece> {
    let parts = sentence.split('{').enumerate().flat_map(|(index, part)| {
        let (place, words) = if index == 0 { (None, part) } else { split(part) };
        [place.map(Piece::Place), Some(Piece::Words(words))]
    });
    parts.flatten().filter(|piece| *piece != Piece::Words(""))
}

fn split(part: &'static str) -> (Option<&'static str>, &'static str) {
    part.split_once('}').map_or((None, part), |(place, words)| (Some(place), words))
}
