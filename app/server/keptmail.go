package server

import (
	"candor/app/platform/clock"
	"candor/app/platform/jobs"
	"candor/app/platform/mail"
	"context"
)

const outboxLimit = 200

// ReadOutbox reads messages with their bodies, with the keys in the data folder.
func ReadOutbox(ctx context.Context, c Config, d *Database, to string) ([]mail.Message, error) {
	keys, err := OpenVault(ctx, c, d.DB)
	if err != nil {
		return nil, err
	}
	queue, err := jobs.New(d.Pool) // never started
	if err != nil {
		return nil, err
	}
	return mail.New(mail.Config{DB: d.DB, Clock: clock.Real{}, Queue: queue, Vault: keys, KeepUnsent: true}).List(ctx, to, outboxLimit)
}
