package admission_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/admission"
)

func request(t *testing.T, body io.Reader, length int64) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/", body)
	require.NoError(t, err)
	r.ContentLength = length
	return r
}

func TestReceive(t *testing.T) {
	t.Parallel()
	const large = 10 << 10
	text := strings.Repeat("x", large)
	t.Run("ABodyIsReadAndPutBack", func(t *testing.T) {
		t.Parallel()
		b := admission.NewBodies(admission.NewBudget(2*large, 2*large))
		for _, length := range []int64{large, -1} {
			r := request(t, strings.NewReader(text), length)
			release, err := b.Receive(nil, r, "anna", large)
			require.NoError(t, err)
			got, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.Equal(t, text, string(got))
			release()
		}
	})
	t.Run("OfOneThatIsTooLargeOneByteTooManyIsRead", func(t *testing.T) {
		t.Parallel()
		r := request(t, strings.NewReader(text), large)
		_, err := admission.NewBodies(admission.NewBudget(large, large)).Receive(nil, r, "anna", 5000)
		require.NoError(t, err)
		got, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.Len(t, got, 5001)
	})
	t.Run("ACrowdOfLargeOnesIsRefusedAndSmallOnesPass", func(t *testing.T) {
		t.Parallel()
		b := admission.NewBodies(admission.NewBudget(large, large))
		release, err := b.Receive(nil, request(t, strings.NewReader(text), large), "anna", 64<<10)
		require.NoError(t, err)
		_, err = b.Receive(nil, request(t, strings.NewReader(text), large), "anna", 64<<10)
		require.ErrorIs(t, err, admission.ErrBusy)
		_, err = b.Receive(nil, request(t, strings.NewReader("{}"), 2), "anna", 64<<10)
		require.NoError(t, err)
		release()
		_, err = b.Receive(nil, request(t, strings.NewReader(text), large), "anna", 64<<10)
		require.NoError(t, err)
	})
	t.Run("WhoeverStopsSendingGivesTheBudgetBack", func(t *testing.T) {
		t.Parallel()
		b := admission.NewBodies(admission.NewBudget(large, large))
		stopped := errors.New("a read deadline")
		for range 3 {
			_, err := b.Receive(nil, request(t, io.MultiReader(strings.NewReader("{"), iotest.ErrReader(stopped)), large), "anna", 64<<10)
			require.ErrorIs(t, err, stopped)
		}
		_, err := b.Receive(nil, request(t, strings.NewReader(text), large), "anna", 64<<10)
		require.NoError(t, err)
	})
}

// line is a request whose sender sends nothing until the connection is aborted.
type line struct {
	http.ResponseWriter
	*io.PipeReader
	sent *io.PipeWriter
}

func (l line) SetReadDeadline(time.Time) error { return l.sent.CloseWithError(errors.New("deadline")) }

func newLine() line {
	r, w := io.Pipe()
	return line{PipeReader: r, sent: w}
}

// TestLateBodiesMakeRoom: even when senders take the whole budget, a late body is aborted as soon as another one needs its room.
func TestLateBodiesMakeRoom(t *testing.T) {
	t.Parallel()
	const large = 10 << 10
	text := strings.Repeat("x", large)
	synctest.Test(t, func(t *testing.T) {
		b := admission.NewBodies(admission.NewBudget(2*large, large))
		refused := map[string]error{}
		stall := func(caller string) {
			l := newLine()
			go func() {
				_, err := b.Receive(l, request(t, l, large), caller, 64<<10)
				refused[caller] = err
			}()
			time.Sleep(time.Second / 2)
		}
		receive := func(caller string) error {
			release, err := b.Receive(nil, request(t, strings.NewReader(text), large), caller, 64<<10)
			if err == nil {
				release()
			}
			synctest.Wait()
			return err
		}
		stall("anna")
		require.NoError(t, receive("clara"), "there is room")
		stall("bert")
		require.ErrorIs(t, receive("bert"), admission.ErrBusy, "half a second is not late, and anna's is not bert's share")
		require.Empty(t, refused)
		require.NoError(t, receive("clara"))
		require.ErrorIs(t, refused["anna"], admission.ErrBusy, "a second is")
		require.NotContains(t, refused, "bert")
		time.Sleep(time.Second / 2)
		require.NoError(t, receive("bert"), "their own share")
		require.ErrorIs(t, refused["bert"], admission.ErrBusy)
	})
}
