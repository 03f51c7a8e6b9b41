//! What the desk says, in English and Arabic. Each screen has its own words.

mod frame;
mod problem;
mod sign_in;

use crate::words::Language;

pub use frame::{FrameWords, NavigationWords};
pub use problem::ProblemWords;
pub use sign_in::SignInWords;

/// The words of one language.
#[derive(Debug)]
pub struct DeskWords {
    /// The language.
    pub language: Language,
    /// What is around every screen.
    pub frame: FrameWords,
    /// The entries of the navigation.
    pub navigation: NavigationWords,
    /// Why there is no screen.
    pub problem: ProblemWords,
    /// Signing in.
    pub sign_in: SignInWords,
}

impl DeskWords {
    const ENGLISH: Self = Self {
        language: Language::En,
        frame: FrameWords::ENGLISH,
        navigation: NavigationWords::ENGLISH,
        problem: ProblemWords::ENGLISH,
        sign_in: SignInWords::ENGLISH,
    };
    const ARABIC: Self = Self {
        language: Language::Ar,
        frame: FrameWords::ARABIC,
        navigation: NavigationWords::ARABIC,
        problem: ProblemWords::ARABIC,
        sign_in: SignInWords::ARABIC,
    };

    /// The words of a language.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &Self::ENGLISH,
            Language::Ar => &Self::ARABIC,
        }
    }
}
