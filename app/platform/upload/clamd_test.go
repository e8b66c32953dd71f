package upload

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// eicar is the test file that every scanner finds. It is split here, so that no scanner finds this source file.
func eicar() []byte {
	return []byte(strings.Join([]string{`X5O!P%@AP[4\PZX54(P^)7CC)7}`, `$EICAR-STANDARD`, `-ANTIVIRUS-TEST-FILE!`, `$H+H*`}, ""))
}

// fakeClamd answers each file on a connection of its own.
func fakeClamd(t *testing.T, network, address string, answer func(conn net.Conn, file []byte)) Clamd {
	t.Helper()
	listener, err := net.Listen(network, address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				if file, err := readStream(conn); err == nil {
					answer(conn, file)
				}
			}()
		}
	}()
	return Clamd{Network: network, Address: listener.Addr().String(), Within: time.Minute}
}

// readStream reads zINSTREAM and its chunks, as clamd does.
func readStream(conn io.Reader) (file []byte, err error) {
	r := bufio.NewReader(conn)
	if command, err := r.ReadString(0); err != nil || command != "zINSTREAM\x00" {
		return nil, io.ErrUnexpectedEOF
	}
	for {
		var size [4]byte
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return nil, err
		}
		n := binary.BigEndian.Uint32(size[:])
		if n == 0 {
			return file, nil
		}
		chunk := make([]byte, n)
		if _, err := io.ReadFull(r, chunk); err != nil {
			return nil, err
		}
		file = append(file, chunk...)
	}
}

// byEicar finds the test file and nothing else.
func byEicar(conn net.Conn, file []byte) {
	if bytes.Contains(file, eicar()) {
		_, _ = io.WriteString(conn, "stream: Eicar-Signature FOUND\x00")
		return
	}
	_, _ = io.WriteString(conn, "stream: OK\x00")
}

func TestClamd(t *testing.T) {
	t.Parallel()

	t.Run("NamesWhatItFound", func(t *testing.T) {
		t.Parallel()
		long := append(bytes.Repeat([]byte("x"), 3*clamdChunk+7), eicar()...)
		for _, c := range []Clamd{fakeClamd(t, "tcp", "127.0.0.1:0", byEicar), fakeClamd(t, "unix", filepath.Join(t.TempDir(), "ctl"), byEicar)} {
			for _, one := range []struct {
				file []byte
				want string
			}{{eicar(), "Eicar-Signature"}, {long, "Eicar-Signature"}, {long[:2*clamdChunk], ""}, {[]byte("a photo"), ""}, {nil, ""}} {
				signature, err := c.Scan(t.Context(), bytes.NewReader(one.file))
				require.NoError(t, err)
				require.Equal(t, one.want, signature)
			}
		}
	})
	t.Run("NoVerdictIsAnError", func(t *testing.T) {
		t.Parallel()
		for name, answer := range map[string]string{
			"Nothing": "", "Half": "stream: O", "Unended": "stream: OK", "Error": "INSTREAM size limit exceeded. ERROR\x00", "NoName": "stream:  FOUND\x00", "Other": "PONG\x00",
			"Endless": strings.Repeat("x", 2*clamdAnswer),
		} {
			c := fakeClamd(t, "tcp", "127.0.0.1:0", func(conn net.Conn, _ []byte) { _, _ = io.WriteString(conn, answer) })
			_, err := c.Scan(t.Context(), strings.NewReader("a photo"))
			require.Error(t, err, name)
		}
	})
	t.Run("OneThatIsSilentIsLeft", func(t *testing.T) {
		t.Parallel()
		heard := make(chan struct{})
		c := fakeClamd(t, "tcp", "127.0.0.1:0", func(conn net.Conn, _ []byte) {
			close(heard)
			_, _ = io.Copy(io.Discard, conn) // until the client disconnects
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-heard
			cancel()
		}()
		_, err := c.Scan(ctx, strings.NewReader("a photo"))
		require.Error(t, err)
		c = fakeClamd(t, "tcp", "127.0.0.1:0", func(conn net.Conn, _ []byte) { _, _ = io.Copy(io.Discard, conn) })
		c.Within = time.Millisecond
		_, err = c.Scan(t.Context(), strings.NewReader("a photo"))
		require.Error(t, err, "it has its time")
	})
	t.Run("Settings", func(t *testing.T) {
		t.Parallel()
		for setting, want := range map[string]Clamd{
			"clamd://scanner:3310": {"tcp", "scanner:3310", scanWithin}, "clamd://[::1]:3310/": {"tcp", "[::1]:3310", scanWithin},
			"clamd:///run/clamav/clamd.ctl": {"unix", "/run/clamav/clamd.ctl", scanWithin},
		} {
			s, err := OpenScanner(setting)
			require.NoError(t, err)
			require.Equal(t, want, s)
		}
		none, err := OpenScanner("")
		require.NoError(t, err)
		require.Nil(t, none)
		for _, setting := range []string{"scanner:3310", "clamd://scanner", "http://scanner:3310", "clamd://", "clamd:///", "clamd://scanner:3310/x", "clamd://u@scanner:3310", "yes", "clamd://%"} {
			_, err := OpenScanner(setting)
			require.ErrorContains(t, err, "clamd://host:3310", setting)
		}
	})
}

// TestScannedUploads: the verdict of the scanner on the uploaded bytes, or its absence, decides the refusal.
func TestScannedUploads(t *testing.T) { //nolint:paralleltest // it reads the log
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	defer slog.SetDefault(before)
	photo := asJPEG(t, stored(1))
	take := func(s Scanner, raw []byte) error {
		_, err := New(DefaultLimits(), s).Take(t.Context(), trader("7"), Photo, -1, bytes.NewReader(raw))
		return err
	}
	clamd := fakeClamd(t, "tcp", "127.0.0.1:0", byEicar)
	require.NoError(t, take(clamd, photo))
	require.Empty(t, log.String())
	require.ErrorIs(t, take(clamd, append(bytes.Clone(photo), eicar()...)), ErrInfected, "behind a picture that is whole")
	require.Equal(t, 1, strings.Count(log.String(), "\n"), "one line")
	require.Contains(t, log.String(), `"from":"trader 7"`)
	require.Contains(t, log.String(), `"signature":"Eicar-Signature"`)
	require.ErrorIs(t, take(clamd, eicar()), ErrInfected, "whatever it is")
	require.ErrorIs(t, take(nil, append(bytes.Clone(photo), eicar()...)), nil, "without a scanner only pixels are kept")
	gone := fakeClamd(t, "tcp", "127.0.0.1:0", func(net.Conn, []byte) {})
	require.ErrorIs(t, take(gone, photo), ErrUnscanned, "it hangs up")
	gone.Address = "127.0.0.1:1"
	require.ErrorIs(t, take(gone, photo), ErrUnscanned, "nobody is there")
}
