//! Templates of a new payment.

/// The words of one language.
#[derive(Debug)]
pub struct TemplateWords {
    /// Those that there are.
    pub title: &'static str,
    /// The form that makes one.
    pub save_as: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What is saved, and for whom.
    pub means: &'static str,
    /// The button that saves.
    pub save: &'static str,
    /// One was saved.
    pub saved: &'static str,
    /// The button that deletes.
    pub delete: &'static str,
    /// One was deleted.
    pub deleted: &'static str,
    /// It has no name, or one that is too long.
    pub no_name: &'static str,
    /// There are as many as there may be.
    pub too_many: &'static str,
    /// What was filled in is too long.
    pub too_long: &'static str,
}

impl TemplateWords {
    pub(super) const ENGLISH: Self = Self {
        title: "Templates",
        save_as: "Save as a template",
        name: "Name of the template",
        means: "All fields are saved but who pays and the order number. Everyone here who creates such payments sees it. One of the same name is replaced.",
        save: "Save the template",
        saved: "The template is saved. No payment was created yet.",
        delete: "Delete",
        deleted: "The template is deleted.",
        no_name: "Give the template a name of at most 60 characters. It is not saved yet.",
        too_many: "There are 50 templates: delete one that nobody uses. This one is not saved yet.",
        too_long: "There is too much text for a template. It is not saved yet.",
    };

    pub(super) const ARABIC: Self = Self {
        title: "القوالب",
        save_as: "حفظ كقالب",
        name: "اسم القالب",
        means: "تُحفظ كل الحقول عدا بيانات العميل ورقم الطلب، ويظهر القالب لكل من يُنشئ هذا النوع من الدفعات. ويحل محل القالب الذي له الاسم نفسه.",
        save: "حفظ القالب",
        saved: "تم حفظ القالب. لم تُنشأ دفعة بعد.",
        delete: "حذف",
        deleted: "تم حذف القالب.",
        no_name: "يلزم اسم للقالب لا يزيد على 60 حرفًا. لم يُحفظ القالب بعد.",
        too_many: "عدد القوالب 50: يُرجى حذف قالب غير مستخدم. لم يُحفظ هذا القالب بعد.",
        too_long: "النص أطول مما يتسع له قالب. لم يُحفظ القالب بعد.",
    };
}
