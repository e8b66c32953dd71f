// Package geo finds the place of an IP address in a MaxMind DB file of the operator's.
package geo

import (
	"fmt"
	"log/slog"
	"net/netip"
	"os"

	"github.com/oschwald/maxminddb-golang/v2"
)

// Place is where an IP address is used; empty when unknown.
type Place struct {
	Country string // ISO 3166-1 alpha-2
	City    string // its English name; empty if the file has none
}

// Places looks up places. A nil one knows none. It is safe for concurrent use.
type Places struct{ file *maxminddb.Reader }

// Open reads a file; without a path it returns nil. The file is kept in memory: the operator may replace it at any time, and the next start reads the new one.
func Open(path string) (*Places, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	file, err := maxminddb.OpenBytes(data)
	if err != nil {
		return nil, fmt.Errorf("%s is no MaxMind DB file: %w", path, err)
	}
	return &Places{file}, nil
}

// Of finds the place of an address. Addresses of this machine and of private networks have none, whatever the file says.
func (p *Places) Of(ip string) (out Place) {
	address, err := netip.ParseAddr(ip)
	if err != nil || p == nil {
		return out
	}
	address = address.Unmap().WithZone("")
	if !address.IsGlobalUnicast() || address.IsPrivate() {
		return out
	}
	var record struct {
		Country struct {
			ISO string `maxminddb:"iso_code"`
		} `maxminddb:"country"`
		City struct {
			Names struct {
				English string `maxminddb:"en"`
			} `maxminddb:"names"`
		} `maxminddb:"city"`
	}
	if err := p.file.Lookup(address).Decode(&record); err != nil {
		slog.Warn("the place of an address can't be read", "error", err)
		return out
	}
	if !isCountry(record.Country.ISO) {
		return out
	}
	return Place{Country: record.Country.ISO, City: record.City.Names.English}
}

func isCountry(iso string) bool {
	return len(iso) == 2 && 'A' <= iso[0] && iso[0] <= 'Z' && 'A' <= iso[1] && iso[1] <= 'Z'
}
