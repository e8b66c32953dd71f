// Package geotest writes small MaxMind DB files for tests.
package geotest

import (
	"net"
	"os"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"

	"candor/app/platform/geo"
)

// The networks of Write, which are reserved for documentation, and one that is private.
const (
	Lisbon  = "203.0.113.0/24"
	Spain   = "198.51.100.0/24" // without a city
	Private = "10.0.0.0/8"
)

// Write writes a file with the networks above.
func Write(path string) error {
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: "Test-City", IncludeReservedNetworks: true})
	if err != nil {
		return err
	}
	for network, place := range map[string]geo.Place{Lisbon: {Country: "PT", City: "Lisbon"}, Spain: {Country: "ES"}, Private: {Country: "PT"}} {
		_, parsed, err := net.ParseCIDR(network)
		if err != nil {
			return err
		}
		if err := tree.Insert(parsed, record(place)); err != nil {
			return err
		}
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := tree.WriteTo(file); err != nil {
		return err
	}
	return file.Close()
}

func record(p geo.Place) mmdbtype.Map {
	out := mmdbtype.Map{"country": mmdbtype.Map{"iso_code": mmdbtype.String(p.Country)}}
	if p.City != "" {
		out["city"] = mmdbtype.Map{"names": mmdbtype.Map{"en": mmdbtype.String(p.City)}}
	}
	return out
}
