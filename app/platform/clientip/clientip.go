// Package clientip finds the client address of a request, and the source that limits count it under.
package clientip

import (
	"fmt"
	"net/netip"
	"strings"

	"candor/app/platform/netlimit"
)

// ParseProxies reads networks of trusted proxies or single addresses, separated by commas: "10.0.0.0/8, 2001:db8::/32".
func ParseProxies(text string) (proxies []netip.Prefix, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			address, failed := netip.ParseAddr(part)
			if failed != nil {
				return nil, fmt.Errorf("%q is no network such as 10.0.0.0/8", part)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		if prefix.Bits() == 0 {
			return nil, fmt.Errorf("%q is everybody: name the networks of the proxies alone", part)
		}
		proxies = append(proxies, prefix.Masked())
	}
	return proxies, nil
}

// Source is the unit that limits count an address under: the address itself, or its IPv6 /64, which one customer of a provider has.
func Source(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	parsed = parsed.Unmap().WithZone("")
	if parsed.Is4() {
		return parsed.String()
	}
	return netlimit.Source(parsed).String()
}

// Network is what a provider usually assigns together with an address: its IPv4 /24 or IPv6 /48. People in it are not told apart.
func Network(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	parsed = parsed.Unmap().WithZone("")
	bits := 48
	if parsed.Is4() {
		bits = 24
	}
	return netip.PrefixFrom(parsed, bits).Masked().String()
}
