//! The face of a merchant on the page: its images, its accent colour, and how a payer reaches it.

pub mod image;
pub mod palette;

use alloc::string::String;

use self::image::ImageName;
use crate::value::colour::Colour;
use crate::value::web_address::WebAddress;
use crate::words::word_list;

/// The face of a merchant. What it leaves out looks as the page does by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brand {
    /// The image at the top of the page; `None` if the name is there as text.
    pub logo: Option<ImageName>,
    /// The symbol of the browser's tab; `None` for that of the installation.
    pub favicon: Option<ImageName>,
    /// The colour of buttons and links; `None` for that of the page.
    pub accent: Option<Colour>,
    /// How round corners are.
    pub corners: Corners,
    /// Which letters the page is set in.
    pub font: Font,
    /// How a payer reaches the merchant.
    pub support: Support,
    /// What a payer can read about the merchant's rules.
    pub links: Links,
}

word_list! {
    /// How round the corners of panels and buttons are.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Corners {
        /// Not at all.
        Square = "square",
        /// A little, as the page does by itself.
        #[default]
        Soft = "soft",
        /// Buttons end in half circles.
        Round = "round",
    }
}

word_list! {
    /// A stack of fonts that devices have: none is loaded.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum Font {
        /// The font of the device's own windows.
        #[default]
        System = "system",
        /// Letters without serifs that follow handwriting.
        Humanist = "humanist",
        /// Letters with serifs.
        Serif = "serif",
        /// Letters with round ends.
        Rounded = "rounded",
    }
}

/// How a payer reaches the merchant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Support {
    /// By e-mail.
    pub email: Option<String>,
    /// By telephone: a number of E.164 with its plus.
    pub phone: Option<String>,
    /// By `WhatsApp`: a number of E.164 with its plus.
    pub whatsapp: Option<String>,
}

/// What a payer can read about the merchant's rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Links {
    /// The terms.
    pub terms: Option<WebAddress>,
    /// How refunds work.
    pub refunds: Option<WebAddress>,
}
