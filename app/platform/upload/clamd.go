package upload

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"
)

// Scanner looks for viruses.
type Scanner interface {
	// Scan returns the name of the signature that it found, or nothing.
	Scan(ctx context.Context, file io.Reader) (signature string, err error)
}

// scanWithin is how long a scan may take.
const scanWithin = 10 * time.Second

// OpenScanner reads a setting such as clamd://host:3310 or clamd:///run/clamav/clamd.ctl; an empty one means no scanner.
func OpenScanner(setting string) (Scanner, error) {
	if setting == "" {
		return nil, nil
	}
	u, err := url.Parse(setting)
	switch {
	case err != nil || u.Scheme != "clamd" || u.RawQuery != "" || u.User != nil:
	case u.Host != "" && u.Port() != "" && strings.Trim(u.Path, "/") == "":
		return Clamd{Network: "tcp", Address: u.Host, Within: scanWithin}, nil
	case u.Host == "" && strings.Trim(u.Path, "/") != "":
		return Clamd{Network: "unix", Address: u.Path, Within: scanWithin}, nil
	}
	return nil, fmt.Errorf("%q is no scanner: it is clamd://host:3310 or clamd:///run/clamav/clamd.ctl", setting)
}

// Clamd speaks clamd's protocol: one connection for each file.
type Clamd struct {
	Network, Address string
	Within           time.Duration
}

const (
	clamdChunk  = 64 << 10
	clamdAnswer = 4 << 10 // bytes
)

// Scan sends the file in chunks and reads the verdict.
func (c Clamd) Scan(ctx context.Context, file io.Reader) (signature string, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.Within)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, c.Network, c.Address)
	if err != nil {
		return "", fmt.Errorf("reach the scanner: %w", err)
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if err := sendFile(conn, file); err != nil {
		return "", fmt.Errorf("send a file to the scanner: %w", err)
	}
	answer, err := bufio.NewReader(io.LimitReader(conn, clamdAnswer)).ReadBytes(0)
	if err != nil {
		return "", fmt.Errorf("read the scanner's answer: %w", err)
	}
	return verdict(answer)
}

func sendFile(to io.Writer, file io.Reader) error {
	if _, err := io.WriteString(to, "zINSTREAM\x00"); err != nil {
		return err
	}
	chunk := make([]byte, 4+clamdChunk)
	for {
		n, err := io.ReadFull(file, chunk[4:])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		binary.BigEndian.PutUint32(chunk, uint32(n))
		if _, err := to.Write(chunk[:4+n]); err != nil || n == 0 { // an empty chunk ends the file
			return err
		}
	}
}

// verdict reads "stream: OK" or "stream: Eicar-Signature FOUND"; anything else is not a verdict.
func verdict(answer []byte) (signature string, err error) {
	told, _ := strings.CutPrefix(string(bytes.TrimSuffix(answer, []byte{0})), "stream: ")
	if found, yes := strings.CutSuffix(told, " FOUND"); yes && found != "" {
		return found, nil
	}
	if told != "OK" {
		return "", fmt.Errorf("the scanner answered %q", answer)
	}
	return "", nil
}
