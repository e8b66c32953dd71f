package notice

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"gorm.io/gorm/clause"

	"candor/app/platform/db"
)

//go:embed start/*.html start/*/*.html
var start embed.FS

// Seed publishes the content of a new installation: questions about the product, and drafts of its pages, in the default language and in those with a folder
// of their own. A file is named by kind and key; it has a category, a title and a body, in other languages a title and a body. Existing items are not
// changed.
func Seed(ctx context.Context, d *db.DB, now time.Time) error {
	names, err := fs.Glob(start, "start/*.html")
	if err != nil {
		return err
	}
	for i, name := range names {
		text, err := fs.ReadFile(start, name)
		if err != nil {
			return err
		}
		if err := seedOne(ctx, d, strings.TrimSuffix(strings.TrimPrefix(name, "start/"), ".html"), string(text), i+1, now); err != nil {
			return fmt.Errorf("publish %s: %w", name, err)
		}
	}
	return nil
}

func seedOne(ctx context.Context, d *db.DB, name, text string, sort int, now time.Time) error {
	kind, key, _ := strings.Cut(name, ".")
	category, text, _ := strings.Cut(text, "\n")
	title, body, _ := strings.Cut(text, "\n")
	if kind == string(FAQ) {
		key = name
	}
	return d.InTx(ctx, func(tx *db.Tx) error {
		item := Item{Kind: Kind(kind), Key: &key, Sort: sort, ToldFrom: 1, Version: 1, CreatedAt: now}
		if err := tx.Rows.Clauses(clause.OnConflict{DoNothing: true}).Create(&item).Error; err != nil || item.ID == 0 {
			return err
		}
		set, err := item.Kind.read(Settings{Category: category, Placement: Placements[item.Kind][0], Severity: "info", Audience: "all", Zone: "UTC", Frequency: Once}, now)
		if err != nil {
			return err
		}
		r := Revision{ItemID: item.ID, Number: 1, State: Drafted, Settings: set, Authors: []int64{}, CreatedAt: now, ChangedAt: now}
		if err := tx.Rows.Create(&r).Error; err != nil {
			return err
		}
		if err := writeTx(tx, r.ID, Text{Locale: Default, Title: title, Body: Clean(body)}, now); err != nil {
			return err
		}
		if err := seedVariants(tx, r.ID, name, now); err != nil {
			return err
		}
		if err := setTx(tx, r.ID, map[string]any{"state": Live, "live_at": now}); err != nil {
			return err
		}
		return setItemTx(tx, item.ID, map[string]any{"live_id": r.ID})
	})
}

// seedVariants adds the texts of an item in other languages.
func seedVariants(tx *db.Tx, revision int64, name string, now time.Time) error {
	for _, locale := range Locales {
		text, err := fs.ReadFile(start, "start/"+locale+"/"+name+".html")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		title, body, _ := strings.Cut(string(text), "\n")
		if err := writeTx(tx, revision, Text{Locale: locale, Title: title, Body: Clean(body)}, now); err != nil {
			return err
		}
	}
	return nil
}
