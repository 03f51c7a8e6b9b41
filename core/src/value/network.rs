//! From where a request comes: the network that one payer or one server usually has to itself.
//!
//! Decision: an IPv4 address is one network, and so is the first half (/64) of an IPv6 address, which is the smallest part
//! that providers assign: one subscriber has all of its addresses to call from.
//!
//! Decision: all Workers of all customers of the platform call from one address. Their networks are their zones, which the
//! platform names and no caller can choose. Whatever else comes without an address of its own is one network: it shares its
//! limits, but is not without any.

use alloc::string::String;
use core::fmt;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::value::digest::digest;

/// The network of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// An IPv4 address.
    V4(Ipv4Addr),
    /// The first half of an IPv6 address; the other half is zero.
    V6(Ipv6Addr),
    /// The Workers of a zone, as the beginning of a hash of its name.
    Zone([u8; ZONE_BYTES]),
    /// Callers without an address of their own.
    Unknown,
}

/// What the platform says about where a request comes from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Origin<'a> {
    /// The header `CF-Connecting-IP`.
    pub address: Option<&'a str>,
    /// The header `CF-Worker`: the zone of the Worker that calls.
    pub zone: Option<&'a str>,
}

/// How much of the hash of a zone's name is read.
const ZONE_BYTES: usize = 16;
/// The longest name of a zone.
const MAX_ZONE: usize = 253;

/// The network that the platform names for the requests of all Workers of all of its customers.
const OF_WORKERS: [u16; 4] = [0x2a06, 0x98c0, 0x3600, 0];

impl Network {
    /// The network of a caller. `None` is this machine, where nobody is limited: a loopback address or, if the installation
    /// itself may be on this machine, no address at all.
    ///
    /// ```
    /// use checkout_core::value::network::{Network, Origin};
    ///
    /// const WORKERS: Option<&str> = Some("2a06:98c0:3600::103");
    /// let of = |address, zone| Network::of_caller(Origin { address, zone }, false).unwrap();
    /// assert_ne!(of(WORKERS, Some("shop.example")), of(WORKERS, Some("other.example")));
    /// assert_eq!(of(WORKERS, None), of(None, None));
    /// // Only Workers are named by their zone.
    /// assert_eq!(of(Some("192.0.2.7"), Some("shop.example")), Network::of("192.0.2.7").unwrap());
    /// ```
    #[must_use]
    pub fn of_caller(origin: Origin<'_>, may_be_here: bool) -> Option<Self> {
        let Some(address) = origin.address else {
            return (!may_be_here).then_some(Self::Unknown);
        };
        let Some(address) = parse(address) else { return Some(Self::Unknown) };
        if address.is_loopback() {
            return None;
        }
        match Self::of_address(address) {
            Self::Unknown => Some(origin.zone.and_then(Self::of_zone).unwrap_or(Self::Unknown)),
            known @ (Self::V4(_) | Self::V6(_) | Self::Zone(_)) => Some(known),
        }
    }

    /// The network of an address as the platform writes it; `None` if it is none, or this machine.
    ///
    /// ```
    /// use checkout_core::value::network::Network;
    ///
    /// let of = |address| Network::of(address).unwrap();
    /// assert_eq!(of("2001:db8:1:2:aaaa::1"), of("2001:db8:1:2:bbbb::2"));
    /// assert_eq!(of("2001:db8:1:2::7").to_string(), "2001:db8:1:2::/64");
    /// assert_eq!(of("::ffff:192.0.2.7"), of("192.0.2.7"));
    /// ```
    #[must_use]
    pub fn of(address: &str) -> Option<Self> {
        parse(address).filter(|address| !address.is_loopback()).map(Self::of_address)
    }

    fn of_address(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::V4(address),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                if [a, b, c, d] == OF_WORKERS {
                    return Self::Unknown;
                }
                Self::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
        }
    }

    /// The Workers of a zone; `None` if the text is no name of a host.
    fn of_zone(zone: &str) -> Option<Self> {
        let zone = zone.trim().trim_end_matches('.').to_ascii_lowercase();
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        if zone.is_empty() || zone.len() > MAX_ZONE || !zone.bytes().all(is_part) {
            return None;
        }
        let mut bytes = [0; ZONE_BYTES];
        let text = digest(&["zone", &zone]);
        bytes.copy_from_slice(text.as_bytes().get(..ZONE_BYTES)?);
        Some(Self::Zone(bytes))
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
            Self::Zone(_) | Self::Unknown => alloc::format!("{self}"),
        }
    }
}

fn parse(address: &str) -> Option<IpAddr> {
    Some(address.trim().parse::<IpAddr>().ok()?.to_canonical())
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(address) => write!(f, "{address}"),
            Self::V6(address) => write!(f, "{address}/64"),
            Self::Zone(zone) => write!(f, "zone {}", core::str::from_utf8(zone).unwrap_or_default()),
            Self::Unknown => f.write_str("unknown"),
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

    fn called(address: Option<&str>, zone: Option<&str>) -> Option<Network> {
        Network::of_caller(Origin { address, zone }, false)
    }

    #[test]
    fn workers_of_others_are_their_zones_and_everyone_without_an_address_is_one_network() {
        let workers = Some("2a06:98c0:3600::103");
        let one = called(workers, Some("shop.example")).unwrap();
        assert_eq!(called(workers, Some(" Shop.Example. ")), Some(one), "a name of a host has no case");
        assert_eq!(called(Some("2a06:98c0:3600::7"), Some("shop.example")), Some(one));
        assert_ne!(called(workers, Some("shop.example.net")), Some(one));
        assert!(one.to_string().starts_with("zone ") && one.around() == one.to_string());
        let long = "z".repeat(MAX_ZONE + 1);
        for (address, zone) in [
            (workers, None),
            (workers, Some("")),
            (workers, Some("a b")),
            (workers, Some(long.as_str())),
            (None, None),
            (None, Some("shop.example")),
            (Some(""), None),
            (Some("not an address"), Some("shop.example")),
        ] {
            assert_eq!(called(address, zone), Some(Network::Unknown), "{address:?} {zone:?}");
        }
        assert_eq!(called(Some("127.0.0.1"), Some("shop.example")), None);
        assert_eq!(Network::of_caller(Origin::default(), true), None, "on this machine");
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
