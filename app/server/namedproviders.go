package server

import (
	"candor/app/platform/clock"
	"candor/app/provider"
	"context"
	"errors"
	"io"
)

// NamedProvider is a provider for the providers command, without its secret.
type NamedProvider struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	URL    string `json:"url"`
	Sealed bool   `json:"sealed"`          // the secret is in the vault
	InFile bool   `json:"inFile"`          // the secret is in clear in the file, which takes precedence
	SetAt  int64  `json:"setAt,omitempty"` // when the secret was sealed, in Unix milliseconds
}

// ListProviders reads the providers from the file, and whether their secrets are in the database.
func ListProviders(ctx context.Context, c Config) ([]NamedProvider, error) {
	providers, err := provider.Read(c.Providers)
	if err != nil {
		return nil, err
	}
	d, err := OpenDatabase(ctx, c, io.Discard)
	if err != nil {
		return nil, err
	}
	set, err := provider.NewSecrets(d.DB, clock.Real{}, nil).SetAt(ctx)
	if err = errors.Join(err, d.Close(context.WithoutCancel(ctx))); err != nil {
		return nil, err
	}
	list := []NamedProvider{}
	for _, p := range providers {
		named := NamedProvider{ID: p.ID, Name: p.Name, URL: p.URL, InFile: p.Secret != ""}
		if at, ok := set[p.ID]; ok {
			named.Sealed, named.SetAt = true, at.UnixMilli()
		}
		list = append(list, named)
	}
	return list, nil
}

// SetProviderSecret stores the secret of a provider of the configuration, sealed.
func SetProviderSecret(ctx context.Context, c Config, d *Database, id, secret string) error {
	keys, err := OpenVault(ctx, c, d.DB)
	if err != nil {
		return err
	}
	return provider.NewSecrets(d.DB, clock.Real{}, keys).Set(ctx, id, secret)
}
