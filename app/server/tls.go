package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/acme/autocert"
)

// transport is the server's own TLS configuration; nil behind a TLS proxy or on loopback.
func (c Config) transport() (*tls.Config, error) {
	switch {
	case len(c.TLSDomains) > 0:
		manager := &autocert.Manager{Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(filepath.Join(c.DataDir, "certificates")), HostPolicy: autocert.HostWhitelist(c.TLSDomains...)}
		settings := manager.TLSConfig()
		settings.MinVersion = tls.VersionTLS12
		return settings, nil
	case c.TLSCert != "":
		files := &certificateFiles{certificate: c.TLSCert, key: c.TLSKey}
		if _, err := files.current(); err != nil {
			return nil, fmt.Errorf("CANDOR_TLS_CERT: %w", err)
		}
		return &tls.Config{
			MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return files.current() },
		}, nil
	}
	return nil, nil
}

// certificateFiles is a certificate and its key, reloaded when either file has changed.
type certificateFiles struct {
	certificate, key string

	mu        sync.Mutex
	loaded    *tls.Certificate
	changed   [2]time.Time
	lastError string // logged once, not at each handshake
}

// current returns the certificate in the files. While they can't be read, as during a renewal, it returns the previous one.
func (f *certificateFiles) current() (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	changed, err := f.modified()
	if err == nil && changed == f.changed {
		return f.loaded, nil
	}
	var loaded tls.Certificate
	if err == nil {
		loaded, err = tls.LoadX509KeyPair(f.certificate, f.key)
	}
	switch {
	case err == nil:
		f.loaded, f.changed, f.lastError = &loaded, changed, ""
	case f.loaded == nil:
		return nil, err
	case f.lastError != err.Error():
		f.lastError = err.Error()
		slog.Warn("the new certificate can't be read; still using the previous one", "error", err)
	}
	return f.loaded, nil
}

func (f *certificateFiles) modified() (changed [2]time.Time, err error) {
	for i, name := range []string{f.certificate, f.key} {
		info, err := os.Stat(name)
		if err != nil {
			return changed, err
		}
		changed[i] = info.ModTime()
	}
	return changed, nil
}
