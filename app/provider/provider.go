// Package provider speaks with the firms that move money for the house: signed requests out, signed events in, each event once. An event is only a reason to ask;
// what is booked is what the firm's signed answer to our own question says. docs/providers.md is the protocol.
package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"regexp"

	"candor/app/platform/errs"
)

// Provider is one firm, as the configuration names it.
type Provider struct {
	ID      string `json:"id"` // lower case; part of the address that its events come to
	Name    string `json:"name"`
	URL     string `json:"url"`
	Secret  string `json:"secret,omitempty"` // shared; signs both ways; empty while it is only sealed (Secrets)
	Sandbox bool   `json:"sandbox"`          // moves no real money; production refuses it
}

// leastSecret is how many characters a secret has at least.
const leastSecret = 32

// Refusals and outcomes.
var (
	// ErrEvent refuses an event whose provider, signature or time does not fit; which of them is nobody's business.
	ErrEvent = errs.New(errs.Forbidden, "provider.event")
	// ErrAltered refuses an event that came before with another content.
	ErrAltered = errs.New(errs.Conflict, "provider.altered")
	// ErrMalformed refuses an event that can't be read.
	ErrMalformed = errs.New(errs.Invalid, "provider.malformed")
	// ErrAway is returned for a channel whose provider is not configured, or can't be reached before anything was asked of it.
	ErrAway = errs.New(errs.Unavailable, "provider.away")

	// ErrUnclear is returned when nobody knows what the provider did: no answer, a broken one, or one that is not signed. Only a later question tells.
	ErrUnclear = errors.New("the provider's answer is unclear")
	// ErrAbsent is returned when the provider says, signed, that it does not know the reference.
	ErrAbsent = errors.New("the provider does not know the reference")
)

// RefusedError is the provider's signed no: it did nothing and will do nothing.
type RefusedError struct{ Code string }

func (e RefusedError) Error() string { return "the provider refuses: " + e.Code }

var idForm = regexp.MustCompile(`^[a-z][a-z0-9_-]{1,31}$`)

// Check says what is wrong with a provider's configuration.
func (p Provider) Check() error {
	address, err := url.Parse(p.URL)
	switch {
	case !idForm.MatchString(p.ID):
		return fmt.Errorf("provider %q: an id is 2 to 32 lower-case letters, digits, _ and -", p.ID)
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return fmt.Errorf("provider %s: %q is no address", p.ID, p.URL)
	case p.Secret != "" && len(p.Secret) < leastSecret:
		return fmt.Errorf("provider %s: its secret has less than %d characters", p.ID, leastSecret)
	case p.Name == "":
		return fmt.Errorf("provider %s: it has no name", p.ID)
	}
	return nil
}

// Unsafe says why production may not use the provider as the file names it; nothing when it may.
func (p Provider) Unsafe() string {
	address, err := url.Parse(p.URL)
	switch {
	case p.Sandbox:
		return "it is a sandbox and moves no money"
	case err != nil || address.Scheme != "https":
		return "its address is not https"
	case p.Secret != "":
		return "its secret stands in clear in the file: run candor providers secret " + p.ID + " and remove it from the file"
	}
	return ""
}

// Sandbox is the first provider of a list that moves nothing; ok is false without one.
func Sandbox(list []Provider) (p Provider, ok bool) {
	for _, p := range list {
		if p.Sandbox {
			return p, true
		}
	}
	return p, false
}

// Read reads the providers from a file, a JSON list; those without a secret there have a sealed one (Unseal). A file that does not exist names none.
func Read(path string) ([]Provider, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the providers: %w", err)
	}
	var list []Provider
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("read the providers in %s: %w", path, err)
	}
	seen := map[string]bool{}
	for _, p := range list {
		if err := p.Check(); err != nil {
			return nil, err
		}
		if seen[p.ID] {
			return nil, fmt.Errorf("provider %s is named twice", p.ID)
		}
		seen[p.ID] = true
	}
	return list, nil
}
