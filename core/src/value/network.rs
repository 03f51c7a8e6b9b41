//! From where a request comes: the network that one payer or one server usually has to itself.
//!
//! Decision: an IPv4 address is one network, and so is the first half (/64) of an IPv6 address, which is the smallest part
//! that providers assign: one subscriber has all of its addresses to call from.

use alloc::string::String;
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The network of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// An IPv4 address.
    V4(Ipv4Addr),
    /// The first half of an IPv6 address; the other half is zero.
    V6(Ipv6Addr),
}

/// The network that the platform names for the requests of all Workers of all of its customers.
const OF_WORKERS: [u16; 4] = [0x2a06, 0x98c0, 0x3600, 0];

impl Network {
    /// The network of an address as the platform writes it; `None` if it is none, this machine, or that of
    /// all Workers: a request that comes from there says nothing about who sent it.
    ///
    /// ```
    /// use checkout_core::value::network::Network;
    ///
    /// let of = |address| Network::of(address).unwrap();
    /// assert_eq!(of("2001:db8:1:2:aaaa::1"), of("2001:db8:1:2:bbbb::2"));
    /// assert_eq!(of("2001:db8:1:2::7").to_string(), "2001:db8:1:2::/64");
    /// assert_eq!(of("::ffff:192.0.2.7"), of("192.0.2.7"));
    /// assert_eq!(Network::of("2a06:98c0:3600::103"), None);
    /// ```
    #[must_use]
    pub fn of(address: &str) -> Option<Self> {
        let address = address.trim().parse::<IpAddr>().ok()?.to_canonical();
        if address.is_loopback() {
            return None;
        }
        Some(match address {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                if [a, b, c, d] == OF_WORKERS {
                    return None;
                }
                Self::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        })
    }

    /// A larger network around it, for the log: enough to see from where something comes, and not who it is.
    #[must_use]
    pub fn around(self) -> String {
        match self {
            Self::V4(address) => {
                let [a, b, c, _] = address.octets();
                alloc::format!("{a}.{b}.{c}.0/24")
            }
            Self::V6(address) => {
                let [a, b, c, ..] = address.segments();
                alloc::format!("{}/48", Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
            }
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(address) => write!(f, "{address}"),
            Self::V6(address) => write!(f, "{address}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn what_is_no_address_has_no_network() {
        for text in [
            "",
            "localhost",
            "192.0.2",
            "192.0.2.256",
            "192.0.2.7:80",
            "2001:db8::/64",
            "fe80::1%eth0",
            "127.0.0.1",
            "::1",
        ] {
            assert_eq!(Network::of(text), None, "{text}");
        }
    }

    #[test]
    fn neighbours_are_other_networks() {
        assert_ne!(Network::of("192.0.2.7"), Network::of("192.0.2.8"));
        assert_ne!(Network::of("2001:db8:1:2::1"), Network::of("2001:db8:1:3::1"));
    }

    #[test]
    fn the_log_sees_a_larger_network_only() {
        assert_eq!(Network::of("203.0.113.77").unwrap().around(), "203.0.113.0/24");
        assert_eq!(Network::of("2001:db8:aaaa:bbbb::1").unwrap().around(), "2001:db8:aaaa::/48");
        assert_eq!(Network::of(" 203.0.113.77 ").unwrap().to_string(), "203.0.113.77");
    }
}
