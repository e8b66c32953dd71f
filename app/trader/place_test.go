package trader_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/geo"
	"candor/app/platform/geo/geotest"
	"candor/app/session"
	"candor/app/trader"
)

const (
	inLisbon = "203.0.113.24"
	inSpain  = "198.51.100.7"
)

// locate gives the sessions a file of places.
func (b *bundle) locate() {
	b.Helper()
	path := filepath.Join(b.TempDir(), "city.mmdb")
	require.NoError(b, geotest.Write(path))
	places, err := geo.Open(path)
	require.NoError(b, err)
	b.sessions.UsePlaces(places)
}

// enter logs in from an IP address with a code, which a new device needs.
func (g *guarded) enter(n int, ip string) session.Principal {
	g.Helper()
	d := from(device(n), ip)
	require.NoError(g, g.traders.SendLoginCode(g.Context(), trader.Credentials{Account: anna, Password: password, Device: d}))
	opened, err := g.login(anna, password, g.lastCode(anna), d)
	require.NoError(g, err)
	return g.principal(opened.Token)
}

func TestPlaceOfALogin(t *testing.T) {
	t.Parallel()
	t.Run("It is kept with the device and the event, and told in the mail", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		g.locate()
		p := g.enter(2, inLisbon)
		require.Contains(t, g.messages(anna)[0].Body, "ip:203.0.113.24 (de place.city map[city:Lisbon country:Portugal])")
		lisbon := geo.Place{Country: "PT", City: "Lisbon"}
		event := g.event(trader.NewDevice)
		require.Equal(t, lisbon, event.Place)
		require.Equal(t, inLisbon, event.IP)
		sessions, err := g.sessions.Sessions(t.Context(), g.TraderID, 10)
		require.NoError(t, err)
		require.Equal(t, lisbon, sessions[0].Place)

		g.sessions.UsePlaces(nil)
		require.Equal(t, lisbon, g.place(p.DeviceID), "the place then was so")
		require.Equal(t, lisbon, g.event(trader.NewDevice).Place)
	})
	t.Run("A later log-in moves the device, and a country alone is enough", func(t *testing.T) {
		t.Parallel()
		g := setup(t).guarded(anna)
		g.locate()
		p := g.enter(2, inLisbon)
		_, err := g.login(anna, password, "", from(device(2), inSpain))
		require.NoError(t, err)
		require.Equal(t, geo.Place{Country: "ES"}, g.place(p.DeviceID))
		require.Equal(t, geo.Place{Country: "ES"}, g.event("login").Place)
		_, err = g.login(anna, "a wrong password", "", from(device(2), inSpain))
		require.ErrorIs(t, err, trader.ErrCredentials)
		require.Equal(t, geo.Place{Country: "ES"}, g.event("refuse_login").Place)
	})
	t.Run("Without a file, and from a private network, none is shown", func(t *testing.T) {
		t.Parallel()
		for name, prepare := range map[string]func(*bundle) string{
			"no file": func(*bundle) string { return inLisbon },
			"private": func(b *bundle) string { b.locate(); return "10.1.2.3" },
		} {
			g := setup(t).guarded(anna)
			ip := prepare(g.bundle)
			p := g.enter(2, ip)
			require.Zero(t, g.place(p.DeviceID), name)
			require.Zero(t, g.event(trader.NewDevice).Place, name)
			require.Contains(t, g.messages(anna)[0].Body, "ip:"+ip+" time:", name)
		}
	})
}

// place is the stored place of a device.
func (g *guarded) place(deviceID int64) geo.Place {
	g.Helper()
	for _, d := range g.devices(20) {
		if d.ID == deviceID {
			return d.Place
		}
	}
	g.Fatalf("no device %d", deviceID)
	return geo.Place{}
}
