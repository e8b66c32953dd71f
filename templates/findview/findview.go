// Package findview shows what the search box found, in groups by kind.
package findview

import (
	"context"

	"candor/app/platform/i18n"
	"candor/templates/ui"
)

// Results is what a search found.
type Results struct {
	Words  string
	Path   string // of the search
	Groups []Group
	Kinds  []Kind // what can be found, when nothing was
}

// Group is what was found of one kind.
type Group struct {
	Title string
	Hits  []Hit
	More  string // says that there are others; empty when there are none
	All   ui.Way // the list of all; none for a kind without
}

// Hit is one thing that was found.
type Hit struct {
	Label string
	Note  string
	Chip  *ui.ChipView
	Href  string
}

// Kind is a kind of thing that can be found.
type Kind struct {
	Title string
	By    string
}

func t(ctx context.Context, key string, pairs ...any) string { return i18n.T(ctx, key, pairs...) }
