package main

import (
	"candor/app/platform/clock"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"context"
)

const outboxLimit = 200

// readOutbox reads messages with their bodies, by the keys of the data folder.
func readOutbox(ctx context.Context, c Config, d *database, to string) ([]mail.Message, error) {
	keys, err := openVault(ctx, c, d.DB)
	if err != nil {
		return nil, err
	}
	queue, err := jobs.New(d.Pool) // never started
	if err != nil {
		return nil, err
	}
	return mail.New(mail.Config{DB: d.DB, Clock: clock.Real{}, Queue: queue, Vault: keys, KeepUnsent: true}).List(ctx, to, outboxLimit)
}
