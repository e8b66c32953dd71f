package systemtest

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// databasePath is the package that makes pools and transactions.
const databasePath = "candor/app/platform/db"

// TestNothingAsksThePoolInsideATransaction follows every call from functions that are given a transaction, and finds none that takes a second connection: two
// callers that each hold one and wait for another would deadlock. Tests on a real database check it too (db.ForbidNested), but only on the paths that they run.
func TestNothingAsksThePoolInsideATransaction(t *testing.T) {
	t.Parallel()
	found, within := secondConnections(t, "candor/app/...", "candor/admin/...")
	require.Greater(t, within, 300, "functions that are given a transaction")
	require.Empty(t, found)
}

// TestASecondConnectionIsFound shows that the search finds every form of the mistake.
func TestASecondConnectionIsFound(t *testing.T) {
	t.Parallel()
	found, _ := secondConnections(t, "candor/app/systemtest/testdata/nested")
	var ends []string
	for _, path := range found {
		ends = append(ends, path[strings.LastIndex(path, ".")+1:])
	}
	require.ElementsMatch(t, []string{"directly", "throughAnother", "throughAnInterface", "asAQuerier", "anotherTransaction", "rowsOutside"}, ends)
}

// secondConnections lists the call paths from a function with a transaction to the pool, and counts those functions.
func secondConnections(t *testing.T, patterns ...string) (found []string, within int) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: "../.."}, append(patterns, databasePath)...)
	require.NoError(t, err)
	program, _ := ssautil.Packages(loaded, ssa.InstantiateGenerics)
	program.Build()
	functions := ssautil.AllFunctions(program)
	graph := vta.CallGraph(functions, cha.CallGraph(program))
	offenders := map[*ssa.Function]string{}
	for f, node := range graph.Nodes {
		if isOurs(f) && isGivenATransaction(f) {
			within++
			search(node, offenders)
		}
	}
	for _, path := range offenders {
		found = append(found, path)
	}
	slices.Sort(found)
	return found, within
}

func isOurs(f *ssa.Function) bool {
	return f != nil && f.Package() != nil && strings.HasPrefix(f.Package().Pkg.Path(), "candor/") && f.Package().Pkg.Path() != databasePath
}

func isGivenATransaction(f *ssa.Function) bool {
	return slices.ContainsFunc(f.Params, func(p *ssa.Parameter) bool { return isOfTheDatabase(p.Type(), "Tx") })
}

func isOfTheDatabase(t types.Type, name string) bool {
	pointer, ok := t.(*types.Pointer)
	return ok && pointer.Elem().String() == databasePath+"."+name
}

// search follows the calls of one function breadth-first, and records the path to each function that uses the pool.
func search(from *callgraph.Node, offenders map[*ssa.Function]string) {
	ways := map[*callgraph.Node]string{from: from.Func.String()}
	queue := []*callgraph.Node{from}
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		if usesPool(node.Func) && offenders[node.Func] == "" {
			offenders[node.Func] = ways[node]
		}
		for _, call := range node.Out {
			_, later := call.Site.(*ssa.Go) // another goroutine may wait for its own connection
			if callee := call.Callee; !later && isOurs(callee.Func) && ways[callee] == "" {
				ways[callee] = ways[node] + " -> " + callee.Func.String()
				queue = append(queue, callee)
			}
		}
	}
}

// usesPool reports whether a function itself takes a connection, or passes the pool on as a querier.
func usesPool(f *ssa.Function) bool {
	for _, block := range f.Blocks {
		for _, instruction := range block.Instrs {
			switch i := instruction.(type) {
			case *ssa.MakeInterface:
				if isOfTheDatabase(i.X.Type(), "Pool") {
					return true
				}
			case ssa.CallInstruction:
				if callee := i.Common().StaticCallee(); callee != nil && acquiresConnection(callee) {
					return true
				}
			}
		}
	}
	return false
}

func acquiresConnection(f *ssa.Function) bool {
	receiver := f.Signature.Recv()
	if receiver == nil {
		return false
	}
	return isOfTheDatabase(receiver.Type(), "Pool") || isOfTheDatabase(receiver.Type(), "DB") && slices.Contains([]string{"InTx", "Rows", "Hot"}, f.Name())
}
