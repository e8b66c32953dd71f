package desktest

import (
	"encoding/json"
	"html"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/audit"
	"candor/app/factor/factortest"
	"candor/app/staff"
)

var passkeyOptions = regexp.MustCompile(`data-passkey(?:-new)?="([^"]+)"`)

// Options are what a page or a dialog hands to the browser's passkeys.
func Options(t testing.TB, page string) any {
	t.Helper()
	found := passkeyOptions.FindStringSubmatch(page)
	require.Len(t, found, 2, "no passkey is asked for")
	return map[string]any{"publicKey": json.RawMessage(html.UnescapeString(found[1]))}
}

// Touch is the browser's answer to a page or a dialog that asks for a passkey.
func Touch(t testing.TB, key *factortest.Passkey, page string) string {
	t.Helper()
	return string(key.Answer(Options(t, page)))
}

// Passkey gives a person a passkey.
func (o *Office) Passkey(t testing.TB, p staff.Person) *factortest.Passkey {
	t.Helper()
	by := p.Acting(audit.Actor{IP: "192.0.2.9", TraceID: "t"})
	creation, err := o.Staff.NewPasskey(t.Context(), by)
	require.NoError(t, err)
	key, answer := factortest.New(t, Origin, creation)
	require.NoError(t, o.Staff.AddPasskey(t.Context(), by, "Laptop", answer))
	return key
}
