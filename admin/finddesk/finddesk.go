// Package finddesk shows what the search box of every page finds: traders, cases, references and numbers, each kind to the members who may view it.
package finddesk

import (
	"net/http"
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/templates/findview"
	"candor/templates/ui"
)

// mostHits is how many things of a kind the page shows.
const mostHits = 8

// Routes lists the desk's routes. What a member finds is decided by the permission of each kind.
func Routes() []desk.Route {
	return []desk.Route{{Method: http.MethodGet, Path: desk.FindPath, Permission: access.Home, Handle: find}}
}

// find shows what the words name, or opens it when they name one thing alone.
func find(r *desk.Request) error {
	words := strings.TrimPrefix(desk.SearchWords(r.QueryParam("q")), "#")
	if words == "" {
		return show(r, words, nil)
	}
	groups, err := ask(r, words)
	if err != nil {
		return err
	}
	var kinds []string
	hits := 0
	for _, g := range groups {
		kinds, hits = append(kinds, g.finder.Kind), hits+len(g.hits)
	}
	if err := r.Searched(words, kinds, hits); err != nil {
		return err
	}
	if hits == 1 && groups[0].hits[0].Exact {
		return r.RedirectTo(groups[0].hits[0].Href)
	}
	return show(r, words, groups)
}

// group is what one finder found.
type group struct {
	finder desk.Finder
	hits   []desk.Hit
}

// ask asks every finder of the member; one more hit than is shown tells that there are others.
func ask(r *desk.Request, words string) (groups []group, err error) {
	for _, finder := range r.Finders() {
		hits, err := finder.Find(r, words, mostHits+1)
		if err != nil {
			return nil, err
		}
		if len(hits) > 0 {
			groups = append(groups, group{finder, hits})
		}
	}
	return groups, nil
}

func show(r *desk.Request, words string, groups []group) error {
	v := findview.Results{Words: words, Path: desk.Root + desk.FindPath}
	for _, g := range groups {
		v.Groups = append(v.Groups, view(r, words, g))
	}
	if len(groups) == 0 {
		for _, finder := range r.Finders() {
			v.Kinds = append(v.Kinds, findview.Kind{Title: r.Word("find.kind." + finder.Kind), By: r.Word("find.by." + finder.Kind)})
		}
	}
	page := r.Page(r.Word("find.title"), "")
	page.Words = words
	return r.Show(findview.Page(page, v))
}

func view(r *desk.Request, words string, g group) findview.Group {
	out := findview.Group{Title: r.Word("find.kind." + g.finder.Kind)}
	for _, h := range g.hits[:min(mostHits, len(g.hits))] {
		out.Hits = append(out.Hits, findview.Hit{Label: h.Label, Note: h.Note, Chip: h.Chip, Href: h.Href})
	}
	if len(g.hits) > mostHits {
		out.More = r.Word("find.more", "count", mostHits)
		if all := g.finder.All.String(); all != "" {
			out.All = ui.Way{To: all, Values: []ui.Hidden{{Name: "q", Value: words}}}
		}
	}
	return out
}
