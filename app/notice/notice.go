// Package notice publishes to traders: banners of the home page.
package notice

import (
	"context"

	"candor/app/platform/db"
	"candor/app/switches"
)

// Banner is one page of the home carousel; title and body are locale keys of the app.
type Banner struct {
	ID    int
	Title string
	Body  string
	Link  string
}

// TableName is GORM's name of the table.
func (Banner) TableName() string { return "banners" }

// Service is what the doors call.
type Service struct {
	db       *db.DB
	switches *switches.Service
}

// New makes the service.
func New(d *db.DB, sw *switches.Service) *Service { return &Service{d, sw} }

// Banners lists the banners of the home page; none while their switch is off for the viewer.
func (s *Service) Banners(ctx context.Context, v switches.Viewer) (list []Banner, err error) {
	if s.switches.For(switches.BannersKey, v) != "true" {
		return nil, nil
	}
	return list, s.db.Rows(ctx).Where("enabled AND place = 'home'").Order("sort, id").Find(&list).Error
}
