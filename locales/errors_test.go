package locales_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/locales"
)

// staffOnly are packages and files that only the back office shows: their refusals have their texts there.
var staffOnly = []string{"approval", "staff", "accountchange", "adjustment", "banking", "bonus/request.go", "report", "task", "complaint/complaint.go", "platform/bankfile", "platform/mail", "deposit/channel.go", "deposit/differing.go", "deposit/statement.go", "deposit/proof.go", "ledger/period.go", "market/change.go", "notice/revision.go", "notice/changes.go", "notice/image.go", "notice/translate.go", "platform/transfile", "kyc/desk.go", "kyc/level.go", "kyc/mark.go", "kyc/queue.go", "reconciliation/stop.go", "session/staffguess.go", "score/desk.go", "support/agent.go", "support/outreach.go", "support/reply.go", "switches/change.go", "switches/changes.go", "switches/switches.go", "trader/ending.go", "trader/conflict.go", "trader/regainrefusal.go", "trader/restrict.go", "trader/sendreset.go", "trader/tag.go", "withdrawal/batch.go", "withdrawal/batchrelease.go", "withdrawal/batchsend.go", "withdrawal/confirm.go", "withdrawal/route.go", "support/servicetime.go", "support/sethours.go", "support/macro.go", "kyc/sample.go", "support/hours.go"}

// refusals is what the code says to traders by key.
type refusals struct {
	keys map[string]string          // text key to where it is used
	args map[string]map[string]bool // error key to the arguments that With gives it
}

// TestRefusals wants an English text for every refusal, field reason and message that the code names, and no argument in it that the
// code does not give.
func TestRefusals(t *testing.T) {
	t.Parallel()
	customer := collect(t, "../app", false)
	require.Greater(t, len(customer.keys), 50, "the search must find the refusals")
	customer.haveTexts(t, read(t, locales.Customer(), "en"), "customer")
	staff := collect(t, "../app", true)
	require.Greater(t, len(staff.keys), 20, "the search must find the refusals")
	staff.haveTexts(t, read(t, locales.Backoffice(), "en"), "backoffice")
}

func (r refusals) haveTexts(t *testing.T, english map[string]string, folder string) {
	t.Helper()
	for key, where := range r.keys {
		text, ok := english[key]
		if !ok {
			t.Errorf("%s: %s has no English text in %s", where, key, folder)
			continue
		}
		if !strings.HasPrefix(key, "error.") {
			continue
		}
		for _, name := range arguments(text) {
			if !r.args[key][name] {
				t.Errorf("%s: the text wants {{%s}}, which the code does not give", key, name)
			}
		}
	}
}

var (
	fieldReason = regexp.MustCompile(`^field\.[a-z_]+$`)
	messageName = regexp.MustCompile(`^message\.[a-z_]*[a-z]$`) // not one that goes on
)

func collect(t *testing.T, root string, staff bool) refusals {
	t.Helper()
	out := refusals{keys: map[string]string{}, args: map[string]map[string]bool{}}
	set := token.NewFileSet()
	files := parse(t, set, root, staff)
	named := map[string]string{} // package.Variable to the key of its refusal
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					if key := errorKey(value); key != "" && i < len(n.Names) {
						named[file.Name.Name+"."+n.Names[i].Name] = key
					}
				}
			case ast.Expr:
				for _, key := range keysOf(n) {
					out.keys[key] = set.Position(n.Pos()).String()
				}
			}
			return true
		})
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				out.given(call, file.Name.Name, named)
			}
			return true
		})
	}
	return out
}

// parse reads the Go files below root, without tests and generated code: those that only staff see, or the others.
func parse(t *testing.T, set *token.FileSet, root string, staff bool) (files []*ast.File) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".gen.go") {
			return nil
		}
		inside, _ := filepath.Rel(root, path)
		if onlyStaff(filepath.ToSlash(inside)) != staff {
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		files = append(files, file)
		return err
	})
	require.NoError(t, err)
	return files
}

func onlyStaff(path string) bool {
	return slices.ContainsFunc(staffOnly, func(one string) bool { return path == one || strings.HasPrefix(path, one+"/") })
}

// keysOf are the text keys that an expression stands for: a refusal, a field's reason, a message with its two parts.
func keysOf(e ast.Expr) []string {
	if key := errorKey(e); key != "" {
		return []string{key}
	}
	switch text := literal(e); {
	case fieldReason.MatchString(text):
		return []string{text, "error.invalid_input"}
	case messageName.MatchString(text):
		return []string{text + ".subject", text + ".body"}
	}
	return nil
}

// errorKey is the text key of errs.New(kind, "key").
func errorKey(e ast.Expr) string {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return ""
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "New" || !isName(f.X, "errs") {
		return ""
	}
	if key := literal(call.Args[1]); key != "" {
		return "error." + key
	}
	return ""
}

// given notes the argument of X.With("name", value), where X is a refusal or another such call.
func (r refusals) given(call *ast.CallExpr, pkg string, named map[string]string) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "With" || len(call.Args) != 2 {
		return
	}
	key, known := named[variable(f.X, pkg)]
	if !known {
		return
	}
	if r.args[key] == nil {
		r.args[key] = map[string]bool{}
	}
	r.args[key][literal(call.Args[0])] = true
}

// variable names the refusal below any number of With calls, as package.Variable.
func variable(e ast.Expr, pkg string) string {
	switch e := e.(type) {
	case *ast.Ident:
		return pkg + "." + e.Name
	case *ast.SelectorExpr:
		if owner, ok := e.X.(*ast.Ident); ok {
			return owner.Name + "." + e.Sel.Name
		}
	case *ast.CallExpr:
		if with, ok := e.Fun.(*ast.SelectorExpr); ok {
			return variable(with.X, pkg)
		}
	}
	return ""
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}
