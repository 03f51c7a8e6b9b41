//! The formats of the pictures of the API.

use crate::words::word_list;

word_list! {
    /// The format of a picture.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ImageFormat {
        /// Scalable Vector Graphics.
        Svg = "svg",
        /// Portable Network Graphics.
        Png = "png",
    }
}
