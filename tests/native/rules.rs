//! Values, bodies and tables: what is accepted, how it is refused and written, and the structure of the source.

mod described_requests;
mod description;
mod draft;
mod endpoints;
mod floors;
mod hostile;
mod hostile_addresses;
mod json;
mod member_order;
mod names;
mod phones;
mod ports;
mod public_items;
mod rejections;
mod sdk_values;
mod signature;
mod slots;
mod states;
mod store;
mod terms;
mod triggers;
mod values;
mod view;
