//! The kind of a file, by the ending of its name.

use crate::words::word_list;

word_list! {
    /// The kind of a file, by the ending of its name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Extension {
        /// Portable Document Format.
        Pdf = "pdf",
        /// A JPEG image.
        Jpeg = "jpeg",
        /// A PNG image.
        Png = "png",
        /// A Word document up to 2003.
        Doc = "doc",
        /// A Word document.
        Docx = "docx",
        /// A JPEG image.
        Jpg = "jpg",
        /// An Excel workbook up to 2003.
        Xls = "xls",
        /// An Excel workbook.
        Xlsx = "xlsx",
        /// Plain text in UTF-8, or in UTF-16 with its mark.
        Txt = "txt",
    }
}
