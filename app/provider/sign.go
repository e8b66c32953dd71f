package provider

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Headers of every signed request, answer and event.
const (
	TimeHeader      = "Candor-Time"      // seconds since 1970
	SignatureHeader = "Candor-Signature" // hexadecimal HMAC-SHA-256
)

// Window is the maximum difference between a signed time and ours, in either direction.
const Window = 300 * time.Second

// Sign is the signature of a message: over its time, its act (the method, or the status of an answer), its path and its body.
func Sign(secret, at, act, path string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.Join([]string{at, act, path, ""}, "\n")))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// VerifySignature reports whether a signature matches a message and its time is within Window. It is false without a secret.
func VerifySignature(secret, at, act, path string, body []byte, signature string, now time.Time) bool {
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || len(at) > 12 || len(secret) < minSecret {
		return false
	}
	age := now.Sub(time.Unix(seconds, 0))
	near := age <= Window && age >= -Window
	return subtle.ConstantTimeCompare([]byte(Sign(secret, at, act, path, body)), []byte(signature)) == 1 && near
}
