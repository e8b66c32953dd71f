// Package provider talks to the firms that move money: it sends signed requests, and accepts each signed event once. An event only triggers a query; only the
// firm's signed answer to that query is booked. docs/providers.md describes the protocol.
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

// Provider is one configured firm.
type Provider struct {
	ID      string `json:"id"` // lower case; part of the URL of its events
	Name    string `json:"name"`
	URL     string `json:"url"`
	Secret  string `json:"secret,omitempty"` // shared; signs both ways; empty while only the sealed one exists (Secrets)
	Sandbox bool   `json:"sandbox"`          // moves no real money; production refuses it
}

// minSecret is the minimum length of a secret, in bytes.
const minSecret = 32

// Refusals and outcomes.
var (
	// ErrEvent refuses an event with a wrong provider, signature or time; it does not reveal which.
	ErrEvent = errs.New(errs.Forbidden, "provider.event")
	// ErrAltered refuses a repeated event with another content.
	ErrAltered = errs.New(errs.Conflict, "provider.altered")
	// ErrMalformed refuses an event that can't be read.
	ErrMalformed = errs.New(errs.Invalid, "provider.malformed")
	// ErrUnavailable is returned for a channel whose provider is not configured, or can't be reached before it was asked to do anything.
	ErrUnavailable = errs.New(errs.Unavailable, "provider.away")

	// ErrUnclear is returned when it is unknown what the provider did: no answer, a malformed one, or an unsigned one. A later query resolves it.
	ErrUnclear = errors.New("the provider's answer is unclear")
	// ErrAbsent is returned when the provider's signed answer says that it does not know the reference.
	ErrAbsent = errors.New("the provider does not know the reference")
)

// RefusedError is the provider's signed refusal: it did nothing and will do nothing.
type RefusedError struct{ Code string }

func (e RefusedError) Error() string { return "the provider refuses: " + e.Code }

var idForm = regexp.MustCompile(`^[a-z][a-z0-9_-]{1,31}$`)

// Check returns the first error of a provider's configuration.
func (p Provider) Check() error {
	address, err := url.Parse(p.URL)
	switch {
	case !idForm.MatchString(p.ID):
		return fmt.Errorf("provider %q: an id is 2 to 32 lower-case letters, digits, _ and -", p.ID)
	case err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https":
		return fmt.Errorf("provider %s: %q is no address", p.ID, p.URL)
	case p.Secret != "" && len(p.Secret) < minSecret:
		return fmt.Errorf("provider %s: its secret has less than %d characters", p.ID, minSecret)
	case p.Name == "":
		return fmt.Errorf("provider %s: it has no name", p.ID)
	}
	return nil
}

// ProductionProblem returns why production must refuse the provider's configuration; empty when it may be used.
func (p Provider) ProductionProblem() string {
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

// Sandbox is the first sandbox of a list; ok is false without one.
func Sandbox(list []Provider) (p Provider, ok bool) {
	for _, p := range list {
		if p.Sandbox {
			return p, true
		}
	}
	return p, false
}

// Read reads the providers from a JSON file; those without a secret in it have a sealed one (Unseal). A missing file is an empty list.
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
