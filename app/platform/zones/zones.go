// Package zones lists the time zones that people choose from, and finds zones by name.
package zones

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // zones are known on machines without system zones
)

//go:embed zones.txt
var list string

// names are the places and UTC, without the abbreviations and the fixed offsets of the IANA list.
var names = strings.Fields(list)

// Names lists the zones to choose from, by name.
func Names() []string { return slices.Clone(names) }

// Listed returns a zone of the list by its name in any case; ok is false for every other name.
func Listed(name string) (listed string, ok bool) {
	at := slices.IndexFunc(names, func(one string) bool { return strings.EqualFold(one, name) })
	if at < 0 {
		return "", false
	}
	return names[at], true
}

// loaded keeps the zones that were found: reading one takes longer than any sum with it.
var loaded sync.Map

// Load finds a zone by its IANA name, also one that is not listed. It returns UTC and false for an unknown name.
func Load(name string) (zone *time.Location, ok bool) {
	if found, ok := loaded.Load(name); ok {
		return found.(*time.Location), true
	}
	if name == "" || name == "Local" || len(name) > 64 {
		return time.UTC, false
	}
	found, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC, false
	}
	loaded.Store(name, found)
	return found, true
}
