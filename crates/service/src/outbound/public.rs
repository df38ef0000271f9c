//! Which addresses are public: those that the whole internet reaches, and nothing special.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// True for an address of the public internet.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Every block of the IANA special-purpose registry is refused.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    !matches!(
        (first, second, third),
        (0 | 10 | 127 | 224.., _, _)            // this network, private, loopback, multicast and reserved
            | (100, 64..=127, _)                // carrier-grade NAT
            | (169, 254, _)                     // link-local, where clouds keep their metadata
            | (172, 16..=31, _)
            | (192, 168, _)
            | (192, 0, 0 | 2)                   // protocol assignments, documentation
            | (192, 31, 196)
            | (192, 52, 193)
            | (192, 88, 99)                     // the 6to4 relay
            | (192, 175, 48)
            | (198, 18 | 19, _)                 // benchmarks
            | (198, 51, 100)                    // documentation
            | (203, 0, 113) // documentation
    )
}

/// Only global unicast (2000::/3) is public, less the parts of it that carry another address inside or lead
/// nowhere. So v4-mapped, v4-compatible, NAT64, unique local, link-local, site-local, multicast, loopback and
/// whatever is given out later are refused without being named.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_global_unicast = first & 0xe000 == 0x2000;
    let is_special = matches!(
        (first, second),
        (0x2001, 0..=0x01ff)                    // protocol assignments: Teredo, benchmarks, ORCHID
            | (0x2001, 0x0db8)                  // documentation
            | (0x2002, _)                       // 6to4
            | (0x3ffe, _)                       // the 6bone that was
            | (0x3fff, 0..=0x0fff) // documentation
    );
    is_global_unicast && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_public() {
        for address in [
            "8.8.8.8",
            "93.184.216.34",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00:1450:4001::1",
            "2001:200::1",
            "2001:4860::8888",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn everything_special_is_refused() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378::1",
            "2001:2::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "ff0e::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
