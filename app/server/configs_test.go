package server

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// optional are fields with a default that the product uses.
var optional = map[string]bool{"candor/admin/desk.CheckEvery": true, "candor/app/stream.Origins": true}

// TestNoPartIsForgotten requires the composition root to set every field of the Configs of domains and entry points: a missing one would silently switch a
// feature off.
func TestNoPartIsForgotten(t *testing.T) {
	t.Parallel()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports, Dir: "."}, ".")
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Empty(t, loaded[0].Errors)
	filled := 0
	for _, file := range loaded[0].Syntax {
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.CompositeLit)
			if !ok {
				return true
			}
			named, ok := types.Unalias(loaded[0].TypesInfo.TypeOf(literal)).(*types.Named)
			if !ok || named.Obj().Name() != "Config" && named.Obj().Name() != "Services" {
				return true
			}
			path := named.Obj().Pkg().Path()
			if !strings.HasPrefix(path, module) || strings.HasPrefix(path, module+"app/platform/") || path == module+"app/server" {
				return true
			}
			filled++
			set := map[string]bool{}
			for _, element := range literal.Elts {
				set[element.(*ast.KeyValueExpr).Key.(*ast.Ident).Name] = true //nolint:forcetypeassert // vet wants keys
			}
			fields := named.Underlying().(*types.Struct) //nolint:forcetypeassert // Configs are structs
			for i := range fields.NumFields() {
				name, own := fields.Field(i).Name(), !fields.Field(i).Exported() // its package sets it
				assert.True(t, own || set[name] || optional[path+"."+name], "%s.%s", path, name)
			}
			return true
		})
	}
	require.Greater(t, filled, 15)
}
