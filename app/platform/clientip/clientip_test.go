package clientip_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/clientip"
)

func TestParseProxies(t *testing.T) {
	t.Parallel()
	for _, wrong := range []string{"10.0.0.0/33", "proxy.example.com", "0.0.0.0/0", "::/0", "10.0.0.0/8;192.0.2.7"} {
		_, err := clientip.ParseProxies(wrong)
		require.Error(t, err, wrong)
	}
	none, err := clientip.ParseProxies(" , ")
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestSource(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.9":              "203.0.113.9",
		"::ffff:203.0.113.9":       "203.0.113.9",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1:2::/64",
		"2001:db8:1:2:ffff::":      "2001:db8:1:2::/64",
		"2001:db8:1:3::":           "2001:db8:1:3::/64",
		"fe80::1%eth0":             "fe80::/64",
		"":                         "",
		"not an address, as it is": "not an address, as it is",
	} {
		require.Equal(t, want, clientip.Source(address), address)
	}
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.9":              "203.0.113.0/24",
		"::ffff:203.0.113.77":      "203.0.113.0/24",
		"2001:db8:1:2:3:4:5:6":     "2001:db8:1::/48",
		"2001:db8:1:ffff::":        "2001:db8:1::/48",
		"":                         "",
		"not an address, as it is": "not an address, as it is",
	} {
		require.Equal(t, want, clientip.Network(address), address)
	}
}
