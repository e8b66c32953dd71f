package ethereum

import (
	"fmt"
	"net/url"
	"time"
)

// Site is where wallets log in: the authority that a wallet compares with the page's, and the address of the page.
type Site struct{ Domain, URI string }

// SiteAt is the site at a URL; the zero value for what is none.
func SiteAt(address string) Site {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return Site{}
	}
	return Site{Domain: u.Host, URI: u.Scheme + "://" + u.Host}
}

// Message is a request to sign in (EIP-4361). Its text is only ever made here, never read from a client.
type Message struct {
	Site
	Address   Address
	Statement string // ASCII, in one line
	ChainID   int64
	Nonce     string // letters and digits, eight or more
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// Text is what the wallet shows and signs.
func (m Message) Text() string {
	return fmt.Sprintf(`%s wants you to sign in with your Ethereum account:
%s

%s

URI: %s
Version: 1
Chain ID: %d
Nonce: %s
Issued At: %s
Expiration Time: %s`, m.Domain, m.Address, m.Statement, m.URI, m.ChainID, m.Nonce, moment(m.IssuedAt), moment(m.ExpiresAt))
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339) }
