//! Rate limits: fixed minutes of the service's clock.

use jiff::Timestamp;
use std::net::{IpAddr, Ipv6Addr};

/// The minute that a request falls in, counted from the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Minute(pub i64);

impl Minute {
    /// The minute of this moment.
    pub fn of(now: Timestamp) -> Minute {
        Minute(now.as_second().div_euclid(60))
    }

    /// Whole seconds until the next minute begins, 1 to 60.
    pub fn seconds_left(now: Timestamp) -> u32 {
        let into = now.as_second().rem_euclid(60);
        u32::try_from(60 - into).expect("a minute has 60 seconds")
    }
}

/// Requests with an unrecognised key that one address may make in a minute (section 8).
pub const UNRECOGNISED_PER_MINUTE: u32 = 120;

/// Whose unrecognised requests are counted together: an IPv4 address, or an IPv6 /64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddressGroup(IpAddr);

impl AddressGroup {
    /// The group of an address.
    pub fn of(address: IpAddr) -> AddressGroup {
        AddressGroup(match address.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_counts_by_64_and_mapped_ipv4_as_itself() {
        let group = |text: &str| AddressGroup::of(text.parse().unwrap());
        assert_eq!(group("2001:db8::1"), group("2001:db8::ffff:1"));
        assert_ne!(group("2001:db8::1"), group("2001:db8:0:1::1"));
        assert_eq!(group("::ffff:192.0.2.1"), group("192.0.2.1"));
        assert_ne!(group("192.0.2.1"), group("192.0.2.2"));
    }

    #[test]
    fn a_window_is_a_minute_of_the_clock() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert_eq!(Minute::of(at(119)), Minute(1));
        assert_eq!(Minute::seconds_left(at(119)), 1);
        assert_eq!(Minute::seconds_left(at(120)), 60);
    }
}
