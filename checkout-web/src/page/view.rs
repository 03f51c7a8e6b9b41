//! Writes the model into the document that the server rendered. It changes texts and attributes, and makes no
//! elements.

use checkout_core::strings::{Price, Strings};
use checkout_core::words::Wallet;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Document, Element, HtmlElement};

use crate::page::amount::Amount;
use crate::page::cost::NO_AMOUNT;
use crate::page::model::{Banner, Model, Phase};

/// The parts of the page that change. A part that a screen does not have is skipped.
#[derive(Debug, Clone)]
pub(crate) struct View {
    document: Document,
}

impl View {
    pub(crate) const fn of(document: Document) -> Self {
        Self { document }
    }

    /// Whether the payer sees the page.
    pub(crate) fn is_seen(&self) -> bool {
        !self.document.hidden()
    }

    /// Makes the document show the model. Calling it twice changes nothing.
    pub(crate) fn show(&self, model: &Model) -> Result<(), JsValue> {
        self.show_face(model)?;
        if let Some(amount) = &model.amount {
            self.show_amount(amount, model)?;
        }
        self.show_banner(model)?;
        self.show_button(model)?;
        self.show_live(model);
        Ok(())
    }

    /// Moves the focus to an element, so that screen readers read it and the browser scrolls to it.
    pub(crate) fn focus(&self, id: &str) {
        if let Some(element) = self.by_id(id).and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
            // If the browser refuses this, what is wrong was shown and announced all the same.
            let _ = element.focus();
        }
    }

    /// Marks the face of the chosen method, for browsers whose style sheet does not know which one it is.
    fn show_face(&self, model: &Model) -> Result<(), JsValue> {
        let chosen = model.chosen_method().and_then(|method| method.face).map(|face| face.to_string());
        for part in self.all(".face")? {
            let places = part.get_attribute("data-face").unwrap_or_default();
            let is_shown =
                chosen.as_deref().is_some_and(|chosen| places.split(' ').any(|place| place == chosen));
            part.toggle_attribute_with_force("data-shown", is_shown)?;
        }
        Ok(())
    }

    fn show_amount(&self, amount: &Amount, model: &Model) -> Result<(), JsValue> {
        let read = amount.read().ok();
        let strings = Strings::of(model.language);
        self.write(
            "[data-part=principal]",
            &read.map_or_else(|| NO_AMOUNT.into(), |amount| strings.price(amount)),
        )?;
        for method in &model.methods {
            let cost = method.cost(read, strings);
            let total = cost.total.as_ref().map(Price::text);
            let total = total.unwrap_or_else(|| NO_AMOUNT.into());
            if let Some(face) = method.face {
                let face = format!("[data-face~=\"{face}\"]");
                self.write_total(&format!("{face}[data-part=total]"), cost.total.as_ref())?;
                self.write(&format!("{face} [data-part=button-total]"), &total)?;
                self.write(&format!("{face} [data-part=converted]"), &cost.converted)?;
                self.write(&format!("{face} [data-part=fee]"), &cost.fee)?;
                self.hide(&format!("{face}[data-row=fee]"), cost.fee.is_empty())?;
            }
            let card = format!("[data-cost=\"{}\"]", method.code.as_str());
            self.write(&format!("{card} [data-part=total]"), &total)?;
            self.write(&format!("{card} [data-part=fee]"), &cost.fee)?;
            self.write(&format!("{card} [data-part=added]"), &cost.added)?;
            self.hide(&format!("{card} [data-part=fee-line]"), cost.fee.is_empty())?;
        }
        self.show_wallets(model)?;
        let fault = model.amount_error().filter(|_| amount.is_shown());
        let words = fault.map(|fault| strings.amount_fault(fault, amount.choice())).unwrap_or_default();
        self.write("#amount-fault", &words)?;
        let Some(field) = self.by_id("amount") else { return Ok(()) };
        field.toggle_attribute_with_force("readonly", model.is_busy())?;
        match fault {
            Some(_) => field.set_attribute("aria-invalid", "true"),
            None => field.remove_attribute("aria-invalid"),
        }
    }

    /// A button whose sheet cannot show what is paid is hidden; without an amount nothing changes.
    fn show_wallets(&self, model: &Model) -> Result<(), JsValue> {
        if model.amount.as_ref().is_some_and(|amount| amount.read().is_err()) {
            return Ok(());
        }
        for offered in &model.wallets {
            let place = format!("[data-express={}]", offered.wallet.as_str());
            self.hide(&place, model.order(offered.wallet).is_none())?;
        }
        Ok(())
    }

    /// The button of a wallet.
    pub(crate) fn button_of(&self, wallet: Wallet) -> Option<HtmlElement> {
        let selector = format!("[data-wallet={}]", wallet.as_str());
        self.document.query_selector(&selector).ok()??.dyn_into().ok()
    }

    /// Shows whether the browser has a wallet.
    pub(crate) fn offer_wallet(&self, wallet: Wallet, is_there: bool) {
        if let Some(root) = self.document.document_element() {
            // A browser that refuses this shows the button as the server rendered it.
            let _ = root.class_list().toggle_with_force(wallet.as_str(), is_there);
        }
    }

    /// Takes the button of a wallet from the page, and with the last one the place of all.
    pub(crate) fn withdraw_wallet(&self, wallet: Wallet) -> Result<(), JsValue> {
        self.offer_wallet(wallet, false);
        for place in self.all(&format!("[data-express={}]", wallet.as_str()))? {
            place.remove();
        }
        let others = [Wallet::ApplePay, Wallet::GooglePay]
            .map(|other| format!(".{0} [data-express={0}]:not([hidden])", other.as_str()));
        if self.document.query_selector(&others.join(","))?.is_none()
            && let Some(all) = self.by_id("wallets")
        {
            all.remove();
        }
        Ok(())
    }

    fn show_banner(&self, model: &Model) -> Result<(), JsValue> {
        let Some(banner) = self.by_id("notice") else { return Ok(()) };
        match model.banner {
            Banner::Served => {}
            Banner::Hidden => {
                banner.toggle_attribute_with_force("hidden", true)?;
            }
            Banner::Shown(alert) => {
                let message = alert.message(model.language, model.payment_type);
                if let Some(details) = self.by_id("notice-details") {
                    details.toggle_attribute_with_force("hidden", true)?;
                }
                let is_calm = alert.is_calm();
                banner.set_attribute("class", if is_calm { "notice calm" } else { "notice" })?;
                banner.set_attribute("role", if is_calm { "status" } else { "alert" })?;
                self.write("#notice-title", message.title)?;
                self.write("#notice-text", message.text)?;
                banner.toggle_attribute_with_force("hidden", false)?;
            }
        }
        Ok(())
    }

    /// The button keeps its focus while it is busy: it is marked as disabled, and the model ignores it.
    fn show_button(&self, model: &Model) -> Result<(), JsValue> {
        let is_busy = model.is_busy();
        for (id, is_hidden) in [("pay-label", is_busy), ("pay-busy", !is_busy)] {
            if let Some(label) = self.by_id(id) {
                label.toggle_attribute_with_force("hidden", is_hidden)?;
            }
        }
        for button in self.all("#pay-button, [data-wallet]")? {
            button.set_attribute("aria-disabled", if is_busy { "true" } else { "false" })?;
        }
        if let Some(methods) = self.by_id("methods") {
            methods.toggle_attribute_with_force("disabled", is_busy)?;
        }
        Ok(())
    }

    fn show_live(&self, model: &Model) {
        let strings = Strings::of(model.language);
        let text = match model.phase {
            Phase::Paying | Phase::Leaving => strings.action.connecting,
            Phase::Waiting { .. } if !model.is_connected => strings.notice.offline.title,
            Phase::Choosing | Phase::Waiting { .. } | Phase::Resting => "",
        };
        let total = model.shown_total().map(|total| format!("{} {total}", strings.label.total));
        if let Some(live) = self.by_id("live") {
            write(&live, total.as_deref().unwrap_or(text));
        }
    }

    fn by_id(&self, id: &str) -> Option<Element> {
        self.document.get_element_by_id(id)
    }

    fn write(&self, selector: &str, text: &str) -> Result<(), JsValue> {
        for element in self.all(selector)? {
            write(&element, text);
        }
        Ok(())
    }

    /// Writes the total that the server rendered in parts.
    fn write_total(&self, selector: &str, total: Option<&Price>) -> Result<(), JsValue> {
        for element in self.all(selector)? {
            let mut next = element.first_element_child();
            for text in total.map_or([NO_AMOUNT, "", ""], Price::texts) {
                let Some(part) = next else { break };
                write(&part, text);
                next = part.next_element_sibling();
            }
        }
        Ok(())
    }

    fn hide(&self, selector: &str, is_hidden: bool) -> Result<(), JsValue> {
        for element in self.all(selector)? {
            element.toggle_attribute_with_force("hidden", is_hidden)?;
        }
        Ok(())
    }

    fn all(&self, selector: &str) -> Result<impl Iterator<Item = Element> + use<>, JsValue> {
        let found = self.document.query_selector_all(selector)?;
        Ok((0..found.length()).filter_map(move |index| found.item(index)?.dyn_into().ok()))
    }
}

/// Writing the same text again would announce it again.
fn write(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

#[cfg(test)]
mod tests;
