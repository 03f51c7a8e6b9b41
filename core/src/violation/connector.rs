//! What the connector of a gateway does not have.

use core::fmt;

/// The rules for what settings ask of a connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectorRule {
    /// The installation is built without the connector.
    LeftOut,
    /// The connector of the gateway cannot do it.
    NotAble,
    /// The connector of the gateway has no credential of this name.
    NotCredential,
    /// The connector needs the address of a bank, because the installation has no simulated one.
    NoSimulatedBank,
    /// The gateway has no usual address, because each bank has its own.
    NoAddressOfBank,
}

impl fmt::Display for ConnectorRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftOut => {
                f.write_str("must be another one: this installation is built without this connector")
            }
            Self::NotAble => {
                f.write_str("must be something that the connector of the gateway can do")
            }
            Self::NotCredential => {
                f.write_str("must not be given: the connector of the gateway has no such credential")
            }
            Self::NoSimulatedBank => f.write_str(
                "must be the address of a bank that speaks the protocol of the sandbox: this installation is built \
                 without the simulated one",
            ),
            Self::NoAddressOfBank => {
                f.write_str("must be the https address of the bank's gateway: each bank has its own")
            }
        }
    }
}
