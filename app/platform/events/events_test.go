package events

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestBus(t *testing.T) {
	t.Parallel()
	bus, err := Open("")
	require.NoError(t, err)
	defer bus.Close()
	heard := make(chan string, 4)
	stop, err := bus.Subscribe("account.*", func(subject string, data []byte) { heard <- subject + " " + string(data) })
	require.NoError(t, err)
	require.NoError(t, bus.Publish("account.7", []byte("one")))
	require.NoError(t, bus.Publish("other.7", []byte("not for us")))
	require.NoError(t, bus.Publish("account.7", []byte("two")))
	for _, want := range []string{"account.7 one", "account.7 two"} {
		select {
		case got := <-heard:
			require.Equal(t, want, got)
		case <-time.After(5 * time.Second):
			t.Fatal("nothing was heard")
		}
	}
	stop()
}
