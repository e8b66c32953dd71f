package server

import (
	"candor/app/platform/clock"
	"candor/app/provider"
	"context"
	"errors"
	"io"
)

// NamedProvider is a provider as the command lists it. No secret is in it.
type NamedProvider struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	URL    string `json:"url"`
	Sealed bool   `json:"sealed"`          // its secret is in the vault
	InFile bool   `json:"inFile"`          // its secret stands in clear in the file, and is the one that counts
	SetAt  int64  `json:"setAt,omitempty"` // when it was sealed, in Unix milliseconds
}

// ListProviders reads them from the file, and from the database where their secrets are.
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

func SetProviderSecret(ctx context.Context, c Config, d *Database, id, secret string) error {
	keys, err := OpenVault(ctx, c, d.DB)
	if err != nil {
		return err
	}
	return provider.NewSecrets(d.DB, clock.Real{}, keys).Set(ctx, id, secret)
}
