package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/app/platform/i18n"
	"candor/locales"
)

// reference is the list of traders in html/template: the same markup from the same view model.
var reference = template.Must(template.New("table").Funcs(template.FuncMap{
	"numeric": GridView.numeric, "class": Cell.class, "cells": func(table GridView, row GridRow) rowOf { return rowOf{table, row} },
}).Parse(`
{{- define "chip"}}<span class="badge badge-soft badge-success"{{if .ID}} id="{{.ID}}"{{end}}{{if .Title}} title="{{.Title}}"{{end}}>` +
	`{{if .Icon}}<svg class="i" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="m3.2 8.4 3.2 3.2 6.4-7"></path></svg>{{end}}{{.Label}}</span>{{end -}}
{{- define "value"}}{{if .Href}}<a class="t-primary" href="{{.Href}}"><bdi>{{.Text}}</bdi></a>{{else if .Text}}<bdi{{if .Title}} title="{{.Title}}"{{end}}>{{.Text}}</bdi>{{end}}` +
	`{{range .Chips}}{{template "chip" .}}{{end}}{{end -}}
{{- define "row"}}<tr{{if .ID}} id="{{.ID}}"{{end}} class="{{if .Opens}}opens{{end}}" data-row>{{$row := .}}{{range $i, $cell := .Cells}}` +
	`{{if eq $i 0}}<td><a class="rowlink id f5" href="{{$row.Opens}}" data-open>{{$cell.Text}}</a></td>` +
	`{{else}}<td class="{{class $cell (numeric $row.Table $i)}}">{{template "value" $cell}}</td>{{end}}{{end}}</tr>{{end -}}
<div class="table-wrap" tabindex="0"{{if .Caption}} role="group" aria-label="{{.Caption}}"{{end}}><table class="table ">` +
	`{{if .Caption}}<caption class="sr">{{.Caption}}</caption>{{end}}<thead><tr>{{range .Columns}}` +
	`<th scope="col" class="{{if .Numeric}}num{{end}}">{{if .Hidden}}<span class="sr">{{.Label}}</span>{{else}}{{.Label}}{{end}}</th>{{end}}</tr></thead>` +
	`<tbody{{if .Walk}} data-rows{{end}}>{{$table := .}}{{range .Rows}}{{template "row" (cells $table .)}}{{end}}</tbody></table></div>`))

type rowOf struct {
	Table GridView
	GridRow
}

// fifty is a realistic page of the list.
func fifty() GridView {
	table := GridView{Caption: "Traders", Walk: true, Columns: []Column{
		{Label: "Trader"}, {Label: "Contact"}, {Label: "Country"}, {Label: "Type"}, {Label: "Level", Numeric: true}, {Label: "Identity"}, {Label: "Accounts"}, {Label: "Registered", Numeric: true},
	}}
	for n := range 50 {
		id := fmt.Sprint(10_000_001 + n)
		table.Rows = append(table.Rows, GridRow{ID: "trader-" + id, Opens: "/admin/traders/" + id, Cells: []Cell{
			{Text: id}, {Text: "ma•••a@example.com, +34•••418", Muted: true}, {Text: "ES", Title: "Spain"}, {Text: "Ordinary"}, {Text: "1"},
			{Chips: []ChipView{{Tone: ToneSuccess, Icon: IconCheck, Label: "Verified"}}}, {Text: "Real, Demo"}, {Text: "14:31:07", Title: "2026-11-20 14:31:07 UTC"},
		}})
	}
	return table
}

func english(t testing.TB) context.Context {
	catalogue, err := i18n.Load(locales.Backoffice())
	require.NoError(t, err)
	return i18n.WithLang(context.Background(), catalogue, "en")
}

var blank = regexp.MustCompile(`\s+([<">])|>\s+`)

// plain normalizes markup: it removes insignificant blanks and unifies escapes.
func plain(markup string) string {
	return html.UnescapeString(blank.ReplaceAllStringFunc(markup, strings.TrimSpace))
}

func TestReferenceIsTheSameMarkup(t *testing.T) {
	t.Parallel()
	var ours, theirs bytes.Buffer
	require.NoError(t, Grid(fifty()).Render(english(t), &ours))
	require.NoError(t, reference.Execute(&theirs, fifty()))
	require.Equal(t, plain(ours.String()), plain(theirs.String()))
}

// processor is the CPU time of this process so far.
func processor(t testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPage prints the target P16: a page of fifty traders through templ and through html/template.
func BenchmarkPage(b *testing.B) {
	const rounds, turns, pages = 5, 20, 20
	ctx, view := english(b), fifty()
	for b.Loop() {
		var faster, cpu []float64
		for range rounds {
			var took, spent [2]time.Duration
			for turn := range 2 * turns {
				start, before := time.Now(), processor(b)
				for range pages {
					if turn%2 == 0 {
						require.NoError(b, Grid(view).Render(ctx, io.Discard))
					} else {
						require.NoError(b, reference.Execute(io.Discard, view))
					}
				}
				took[turn%2] += time.Since(start)
				spent[turn%2] += processor(b) - before
			}
			faster, cpu = append(faster, float64(took[1])/float64(took[0])), append(cpu, float64(spent[1])/float64(spent[0]))
		}
		slices.Sort(faster)
		slices.Sort(cpu)
		line, err := json.Marshal(map[string]any{
			"id": "P16", "value": faster[rounds/2], "target": 4, "better": "higher", "rounds": rounds,
			"detail": map[string]any{"what": "html/template ÷ templ", "all": faster, "processorTime": cpu[rounds/2]},
		})
		require.NoError(b, err)
		fmt.Println(string(line))
	}
}
