package upload

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// form is a request with fields and files, in order: a name without a value is a file.
func form(t testing.TB, parts ...any) *http.Request {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for i := 0; i < len(parts); i += 2 {
		name := parts[i].(string)
		if raw, ok := parts[i+1].([]byte); ok {
			into, err := w.CreateFormFile(name, "../../a.jpg")
			require.NoError(t, err)
			_, err = into.Write(raw)
			require.NoError(t, err)
			continue
		}
		require.NoError(t, w.WriteField(name, parts[i+1].(string)))
	}
	require.NoError(t, w.Close())
	r := httptest.NewRequest(http.MethodPost, "/", &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return r
}

func TestForm(t *testing.T) {
	t.Parallel()
	photo := asJPEG(t, stored(1))
	take := func(r *http.Request) (Form, error) {
		return New(DefaultLimits(), nil).Form(httptest.NewRecorder(), r, trader("1"), Photo)
	}

	t.Run("FieldsStandBeforeAndBehindThePicture", func(t *testing.T) {
		t.Parallel()
		f, err := take(form(t, "side", "front", "file", photo, "version", "3", "long", strings.Repeat("x", 5_000)))
		require.NoError(t, err)
		require.Equal(t, width, f.Picture.Width)
		require.Equal(t, "front", f.Values["side"])
		require.Equal(t, "3", f.Values["version"])
		require.Len(t, f.Values["long"], valueBytes)
	})
	t.Run("Refusals", func(t *testing.T) {
		t.Parallel()
		many := make([]any, 0, 4*maxParts)
		for range 2 * maxParts {
			many = append(many, "x", "y")
		}
		cut := form(t, "file", photo)
		cut.Body = io.NopCloser(io.LimitReader(cut.Body, int64(len(photo)/2)))
		head := form(t, "file", photo)
		head.Body = io.NopCloser(io.MultiReader(strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"file\"\r\nX-Long: "), &counted{}))
		head.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		plain := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(photo))
		large := form(t, "file", make([]byte, MaxBytes+1))
		for name, one := range map[string]struct {
			r    *http.Request
			want error
		}{
			"NoFile": {form(t, "side", "front"), ErrMissing}, "NoForm": {plain, ErrMissing}, "ManyParts": {form(t, many...), ErrMissing}, "CutOff": {cut, ErrMissing},
			"AHeadWithoutEnd": {head, ErrMissing}, "TooLarge": {large, ErrTooLarge}, "NoPicture": {form(t, "file", []byte("<svg/>")), ErrFormat},
		} {
			_, err := take(one.r)
			require.ErrorIs(t, err, one.want, name)
		}
		limited := form(t, "file", make([]byte, 1000))
		limited.Body = http.MaxBytesReader(httptest.NewRecorder(), limited.Body, 500)
		_, err := take(limited)
		require.ErrorIs(t, err, ErrTooLarge)
	})
	t.Run("WhatIsRefusedIsReadToItsEnd", func(t *testing.T) {
		t.Parallel()
		in := New(DefaultLimits(), nil)
		leave, err := in.receiving.enter(t.Context(), trader("1"), MaxForm, nil)
		require.NoError(t, err)
		defer leave()
		in.receiving.pending = 1
		r := form(t, "file", make([]byte, 1<<20))
		body := r.Body
		_, err = in.Form(httptest.NewRecorder(), r, trader("1"), Photo)
		require.ErrorIs(t, err, ErrBusy)
		left, err := io.ReadAll(body)
		require.NoError(t, err)
		require.Empty(t, left)
	})
}

// TestSlowSendersOfStrangersKeepNoTraderWaiting fills the strangers' share with endless uploads.
func TestSlowSendersOfStrangersKeepNoTraderWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := New(DefaultLimits(), nil)
		var all sync.WaitGroup
		var ends []io.Closer
		answers := make(chan error, 100)
		for n := range 100 {
			slow, end := io.Pipe()
			ends = append(ends, end)
			all.Go(func() {
				_, err := in.Take(t.Context(), stranger(n), Photo, MaxBytes/8, slow)
				answers <- err
			})
		}
		synctest.Wait()
		_, received := in.Peak()
		require.LessOrEqual(t, received, in.limits.Received/4+formBytes)
		begun := time.Now()
		_, err := in.Take(t.Context(), trader("1"), Photo, -1, bytes.NewReader(asJPEG(t, stored(1))))
		require.NoError(t, err)
		require.Zero(t, time.Since(begun), "it did not wait")
		time.Sleep(in.limits.Wait)
		synctest.Wait()
		for _, end := range ends {
			require.NoError(t, end.Close())
		}
		all.Wait()
		busy := 0
		for range 100 {
			if err := <-answers; err == ErrBusy {
				busy++
			}
		}
		require.Equal(t, 100-8, busy, "eight have begun, the rest are told to come again")
	})
}

// TestFlood: visitors upload bombs while a trader uploads a proof. The proof is taken, every bomb is refused, and no more memory is admitted than the limit.
func TestFlood(t *testing.T) { //nolint:paralleltest // it measures the process
	half := flatJPEG(4032, 3024, 3, true, 1)
	bombs := map[string][]byte{
		"a PNG of 12,000 by 3,333":     flatPNG(12_000, 3_333, 8, 2, false, false),
		"a PNG of 16 bits":             flatPNG(4_000, 4_000, 16, 6, false, false),
		"an interlaced PNG":            flatPNG(5_000, 5_000, 8, 6, true, false),
		"a palette of too many pixels": flatPNG(12_000, 12_000, 1, 3, false, true),
		"a large progressive JPEG":     flatJPEG(5_700, 4_280, 3, true, 1),
		"a JPEG of many scans":         flatJPEG(2_000, 2_000, 1, true, 200),
		"half a progressive JPEG":      half[:len(half)-8], // it is decoded to its end, and then refused
		"half an interlaced PNG":       flatPNG(3_000, 3_000, 8, 6, true, false)[:2_000],
	}
	limits := DefaultLimits()
	limits.Wait = time.Hour
	in := New(limits, nil)
	before := resident("VmRSS:")
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // the peak starts anew
	counts, mu := map[string]int{}, sync.Mutex{}
	var flood sync.WaitGroup
	n := 0
	for range 8 {
		for kind, raw := range bombs {
			n++
			from := stranger(n)
			flood.Go(func() {
				_, err := in.Take(t.Context(), from, Photo, int64(len(raw)), bytes.NewReader(raw))
				mu.Lock()
				defer mu.Unlock()
				counts[fmt.Sprint(kind, ": ", err)]++
			})
		}
	}
	_, err := in.Take(t.Context(), trader("1"), Photo, -1, bytes.NewReader(flatJPEG(4032, 3024, 3, false, 1)))
	require.NoError(t, err, "a trader's proof")
	flood.Wait()
	for answer := range counts {
		require.NotContains(t, answer, "<nil>")
	}
	decoding, received := in.Peak()
	require.LessOrEqual(t, decoding, limits.Memory)
	require.LessOrEqual(t, received, limits.Received)
	require.True(t, in.decoding.idle() && in.receiving.idle())
	require.Zero(t, in.decoding.used+in.receiving.used)
	require.Empty(t, in.pool.free, "nothing is kept when nobody uploads")
	fmt.Printf("{\"goal\":\"G17\",\"part\":\"flood\",\"bombs\":%d,\"answers\":%d,\"admittedMB\":%d,\"receivedMB\":%d,\"residentBeforeMB\":%d,\"residentMostMB\":%d}\n",
		n, len(counts), decoding>>20, received>>20, before>>20, resident("VmHWM:")>>20)
}

// resident is the process's memory as the system counts it, now or at its peak; 0 where it is not reported.
func resident(which string) (bytes int64) {
	status, _ := os.ReadFile("/proc/self/status")
	if _, after, ok := strings.Cut(string(status), which); ok {
		_, _ = fmt.Sscan(after, &bytes)
	}
	return bytes << 10
}

// TestStrangersAreDecodedOneAtATime: the other slot stays free for traders.
func TestStrangersAreDecodedOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := New(DefaultLimits(), nil)
		leave, err := in.decoding.enter(t.Context(), stranger(1), 1<<20, nil)
		require.NoError(t, err)
		_, err = in.decoding.enter(t.Context(), stranger(2), 1<<20, nil)
		require.ErrorIs(t, err, ErrBusy)
		proof, err := in.decoding.enter(t.Context(), trader("1"), 1<<20, nil)
		require.NoError(t, err)
		_, err = in.decoding.enter(t.Context(), trader("1"), 1<<20, nil)
		require.ErrorIs(t, err, ErrBusy, "one picture of a person at a time")
		leave()
		proof()
	})
}

// TestASlowUploadIsAborted sends an upload that stalls within its file or behind it, while another one waits for its room.
func TestASlowUploadIsAborted(t *testing.T) {
	t.Parallel()
	const head = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
	photo := asJPEG(t, stored(1))
	for name, beginning := range map[string]string{"InTheFile": head + ".", "BehindTheFile": head + string(photo) + "\r\n--x\r\nContent-Disposition: f"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limits := DefaultLimits()
			limits.Received = MaxForm
			in := New(limits, nil)
			refused := make(chan error, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, err := in.Form(w, r, trader("slow"), Photo)
				w.WriteHeader(http.StatusServiceUnavailable)
				refused <- err
			}))
			t.Cleanup(server.Close)
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			t.Cleanup(func() { _ = conn.Close() })
			_, err = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: candor\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n%s", MaxForm, beginning)
			require.NoError(t, err)
			require.Eventually(t, func() bool { _, received := in.Peak(); return received == MaxForm }, 5*time.Second, time.Millisecond)
			_, err = in.Form(httptest.NewRecorder(), form(t, "file", photo), trader("quick"), Photo)
			require.NoError(t, err)
			require.ErrorIs(t, <-refused, ErrBusy)
			answer := make([]byte, 12)
			_, err = io.ReadFull(conn, answer)
			require.NoError(t, err)
			require.Equal(t, "HTTP/1.1 503", string(answer), "the sender is told")
		})
	}
}
