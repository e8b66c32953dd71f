package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/acme/autocert"
)

// writeCertificate writes a self-signed certificate with a serial number and a file time.
func writeCertificate(t *testing.T, c Config, serial int64, at time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	secret, err := x509.MarshalECPrivateKey(key)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{c.TLSCert: {Type: "CERTIFICATE", Bytes: raw}, c.TLSKey: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		require.NoError(t, os.WriteFile(name, pem.EncodeToMemory(block), 0o600))
		require.NoError(t, os.Chtimes(name, at, at))
	}
}

// TestACertificateIsReadAnewWhenItsFilesChange serves TLS while the certificate is renewed.
func TestACertificateIsReadAnewWhenItsFilesChange(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := Config{TLSCert: filepath.Join(folder, "cert.pem"), TLSKey: filepath.Join(folder, "key.pem")}
	start := time.Now().Add(-time.Hour)
	writeCertificate(t, c, 1, start)
	transport, err := c.transport()
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }), transport)
	go func() { _ = serveOnListener(server, listener) }()
	t.Cleanup(func() { _ = server.Close() })
	shown := func(settings *tls.Config) int64 {
		settings.InsecureSkipVerify = true //nolint:gosec // self-signed
		conn, err := (&tls.Dialer{Config: settings}).DialContext(context.WithoutCancel(t.Context()), "tcp", listener.Addr().String())
		require.NoError(t, err)
		defer func() { _ = conn.Close() }()
		state := conn.(*tls.Conn).ConnectionState()
		require.Equal(t, settings.NextProtos, []string{state.NegotiatedProtocol})
		return state.PeerCertificates[0].SerialNumber.Int64()
	}
	require.EqualValues(t, 1, shown(&tls.Config{NextProtos: []string{"h2"}}))
	writeCertificate(t, c, 2, start.Add(time.Minute))
	require.EqualValues(t, 2, shown(&tls.Config{NextProtos: []string{"http/1.1"}}))
	require.NoError(t, os.WriteFile(c.TLSCert, []byte("half of a"), 0o600))
	require.EqualValues(t, 2, shown(&tls.Config{NextProtos: []string{"h2"}}), "in the middle of a renewal the one before is shown")
	_, err = tls.Dial("tcp", listener.Addr().String(), &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11}) //nolint:gosec // it must fail
	require.Error(t, err, "nothing older than TLS 1.2")
}

// TestCertificatesAreFetchedForOurNamesAlone requests certificates for other names, which would use up the certificate authority's quota.
func TestCertificatesAreFetchedForOurNamesAlone(t *testing.T) {
	t.Parallel()
	c := Config{DataDir: t.TempDir(), TLSDomains: []string{"trade.example.com"}}
	transport, err := c.transport()
	require.NoError(t, err)
	require.EqualValues(t, tls.VersionTLS12, transport.MinVersion)
	require.Contains(t, transport.NextProtos, "acme-tls/1", "the authority asks through the same port")
	_, err = transport.GetCertificate(&tls.ClientHelloInfo{ServerName: "other.example.com"})
	require.ErrorContains(t, err, "not configured")
	require.NotErrorIs(t, err, autocert.ErrCacheMiss)
	none, err := Config{}.transport()
	require.NoError(t, err)
	require.Nil(t, none)
}
