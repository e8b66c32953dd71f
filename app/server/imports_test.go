package server

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	module = "candor/"
	root   = "../.."
)

// allowedImports lists the domains that each domain may import; all may import platform and the members of staff.
var allowedImports = map[string][]string{
	"activity":       {"ledger", "trader", "trading"},
	"audit":          {},
	"approval":       {"audit"},
	"switches":       {"audit", "approval"},
	"ledger":         {"audit", "switches"},
	"session":        {"audit", "switches", "ledger"},
	"factor":         {"session"},
	"trader":         {"audit", "switches", "ledger", "session", "notice", "factor"},
	"staff":          {"audit", "approval", "switches", "session", "trader", "factor"},
	"notice":         {"audit", "approval", "switches"},
	"support":        {"audit", "trader"},
	"market":         {"audit", "approval", "switches", "ledger"},
	"trading":        {"audit", "switches", "ledger", "market"},
	"deposit":        {"audit", "approval", "switches", "ledger", "provider", "trader", "session", "staff"},
	"banking":        {"audit", "approval", "ledger", "deposit", "withdrawal", "staff"},
	"task":           {"audit", "staff", "trader"},
	"complaint":      {"audit", "approval", "ledger", "trader"},
	"accountchange":  {"audit", "approval", "trader"},
	"adjustment":     {"audit", "approval", "switches", "ledger"},
	"reconciliation": {"audit", "ledger"},
	"report":         {"audit"},
	"preference":     {},
	"drawing":        {},
	"provider":       {"audit"},
	"dataexport":     {"audit", "session", "trader"},
	"invitation":     {"ledger", "market", "switches", "trader", "trading"},
	"bonus":          {"audit", "approval", "deposit", "ledger", "staff", "switches", "trader"},
	"score":          {"audit", "deposit", "support", "trader", "trading"},
	"withdrawal":     {"audit", "approval", "switches", "ledger", "provider", "deposit", "payee", "trader", "session", "staff"},
	"payee":          {"audit", "switches", "ledger", "trader", "session"},
	"wallet":         {"audit", "switches", "ledger", "market"},
	"kyc":            {"audit", "approval", "switches", "ledger", "payee", "trader", "session", "staff"},
}

// domainPackages are the packages of a domain that has several, and which of them each may import.
var domainPackages = map[string][]string{
	"app/staff":               {"app/staff/member"},
	"app/staff/member":        {},
	"app/trading":             {"app/trading/sums"},
	"app/trading/sums":        {},
	"app/trading/trigger":     {"app/trading", "app/trading/sums"},
	"app/trading/engine":      {"app/trading", "app/trading/sums", "app/trading/trigger"},
	"app/trading/proof":       {"app/trading", "app/trading/sums"},
	"app/trading/tradingtest": {},
}

// scoreReaders are the folders that may import the credit score: those that show it, and the composition root. It informs; nothing decides by it.
var scoreReaders = []string{"admin/chatdesk", "admin/tradedesk", "app/api", "app/server"}

// TestNothingDecidesByTheCreditScore keeps the credit score out of every domain.
func TestNothingDecidesByTheCreditScore(t *testing.T) {
	t.Parallel()
	var readers []string
	for folder, imports := range importsByFolder(t) {
		if slices.Contains(imports, "app/score") {
			readers = append(readers, folder)
		}
	}
	slices.Sort(readers)
	require.Equal(t, scoreReaders, readers)
	for domain, imports := range allowedImports {
		require.NotContains(t, imports, "score", domain)
	}
}

// members reads members of staff: a leaf that every domain may import, like platform.
const members = "app/staff/member"

// entryPoints are the entry points. They may import domains, never each other; only the back office imports templates.
var entryPoints = []string{"app/api", "app/stream", "admin"}

// TestDependencyRule parses every file and refuses an import against the dependency order.
func TestDependencyRule(t *testing.T) {
	t.Parallel()
	for folder, imports := range importsByFolder(t) {
		for _, imported := range imports {
			if problem := violation(folder, imported); problem != "" {
				t.Errorf("%s imports %s: %s", folder, imported, problem)
			}
		}
	}
}

// TestTheRuleBites shows that the rule refuses what it should.
func TestTheRuleBites(t *testing.T) {
	t.Parallel()
	for _, bad := range [][2]string{
		{"app/ledger", "app/trading"}, {"app/market", "app/trading"}, {"app/trading", "app/api"}, {"app/api", "app/stream"}, {"app/stream", "app/api"},
		{"admin/cashdesk", "app/api"}, {"app/api", "templates/ui"}, {"app/trading", "templates/ui"}, {"app/platform/db", "app/ledger"}, {"app/deposit", "app/cmd/candor"},
		{"app/deposit", "app/server"}, {"app/server", "app/bench"}, {"app/api", "app/demo"}, {"app/bench", "app/demo"},
		{"templates/ui", "app/deposit"},
		{"app/trading", "app/trading/engine"}, {"app/trading/engine", "app/trading/proof"}, {"app/trading/proof", "app/trading/engine"},
		{"app/trading/trigger", "app/trading/engine"}, {"app/server", "app/trading/tradingtest"},
		{"app/deposit", "app/wire"}, {"app/trading/engine", "app/wire"}, {"admin/cashdesk", "app/wire"}, {"app/platform/idempotency", "app/wire"}, {"app/wire", "app/api"},
		{"app/staff/member", "app/trader"}, {"app/staff/member", "app/staff"}, {"app/market", "app/staff"}, {"app/platform/db", "app/staff/member"},
	} {
		require.NotEmpty(t, violation(bad[0], bad[1]), "%s may not import %s", bad[0], bad[1])
	}
	for _, good := range [][2]string{{"app/trading", "app/market"}, {"admin/cashdesk", "app/deposit"}, {"app/api", "app/trading"}, {"app/ledger", "app/platform/db"}, {"admin/desk", "templates/layout"}, {"app/server", "app/api"},
		{"app/cmd/candor", "app/server"}, {"app/bench", "app/server"}, {"app/trading/engine", "app/trading/trigger"}, {"app/api", "app/trading/proof"}, {"app/api", "app/wire"}, {"app/stream", "app/wire"}, {"app/server", "app/wire"},
		{"app/wire", "app/trading"}, {"app/market", "app/staff/member"}, {"app/trading/engine", "app/staff/member"}, {"app/staff", "app/staff/member"}} {
		require.Empty(t, violation(good[0], good[1]), "%s may import %s", good[0], good[1])
	}
}

// TestTheProductHasNoSandbox follows all imports of the program, also indirect ones.
func TestTheProductHasNoSandbox(t *testing.T) {
	t.Parallel()
	imports := importsByFolder(t)
	reached, waiting := map[string]bool{}, []string{"app/cmd/candor"}
	for len(waiting) > 0 {
		folder := waiting[0]
		waiting = waiting[1:]
		if !reached[folder] {
			reached[folder] = true
			waiting = append(waiting, imports[folder]...)
		}
	}
	require.True(t, reached["app/provider"], "the search must get there")
	require.NotContains(t, reached, "app/provider/sandbox")
	require.Contains(t, imports["app/cmd/sandbox"], "app/provider/sandbox")
}

// violation describes a violation of the rule; empty for an allowed import.
func violation(folder, imported string) string {
	from, to := layer(folder), layer(imported)
	allowed, fromDomainPackage := domainPackages[folder]
	_, toDomainPackage := domainPackages[imported]
	switch {
	case imported == "app/trading/tradingtest":
		return "only tests use the market in memory"
	case folder == members && to != "platform":
		return "whom every domain imports imports none"
	case imported == members && allowedImports[from] != nil:
		return ""
	case fromDomainPackage && toDomainPackage && !slices.Contains(allowed, imported):
		return "this room of the domain comes later"
	case strings.HasPrefix(imported, "app/cmd/"):
		return "nobody imports a program"
	case slices.Contains([]string{"bench", "demo", "systemtest"}, to) && from != to && folder != "app/cmd/candor":
		return "what measures and shows the whole is imported by its command alone"
	case to == "server" && !slices.Contains([]string{"bench", "demo", "server"}, from) && folder != "app/cmd/candor":
		return "nobody imports the composition root but what runs it"
	case strings.HasPrefix(folder, "app/cmd/") || strings.Contains(folder, "/cmd/") || slices.Contains([]string{"bench", "demo", "server"}, from):
		return ""
	case from == "platform" && to != "platform" && to != "migrations":
		return "the platform knows no business"
	case from == "templates" && to != "templates" && to != "platform" && to != "locales":
		return "templates get view models and know nothing else"
	case to == "templates" && from != "admin" && from != "templates":
		return "only the back office shows templates"
	case to == "wire" && !slices.Contains([]string{"wire", "app/api", "app/stream"}, from):
		return "domains take and return values; the wire's types stay at the doors"
	case slices.Contains(entryPoints, to) && from != to:
		return "doors are imported by nobody, least of all by each other"
	case from != "" && to != "" && allowedImports[from] != nil && allowedImports[to] != nil && from != to && !slices.Contains(allowedImports[from], to):
		return "this runs uphill"
	}
	return ""
}

// bytesOut lists what domains may return as bytes: pictures, hashes, texts to be hashed, a handle, and messages between servers. Results are values; the doors encode them.
var bytesOut = []string{
	"app/adjustment.ViewEvidence", "app/approval.MarshalText", "app/dataexport.Download", "app/deposit.Picture", "app/factor.WebAuthnID", "app/kyc.Picture", "app/kyc.View", "app/kyc.ViewSampled", "app/notice.Image", "app/payee.Fingerprint", "app/session.Hash", "app/session.HashToken",
	"app/session.NewToken", "app/staff.QR", "app/support.PictureFor", "app/support.PictureOf", "app/trader.Avatar", "app/trading.Message", "app/withdrawal.BatchFile", "app/withdrawal.Facts",
}

// TestNoDomainEncodes looks at what the domains' exported functions return.
func TestNoDomainEncodes(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	eachFile(t, ".go", func(path, text string) {
		folder := filepath.Dir(path)
		if _, domain := allowedImports[layer(folder)]; domain && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(filepath.ToSlash(folder), "/factortest") {
			for _, name := range returningBytes(t, text) {
				found[filepath.ToSlash(folder)+"."+name] = true
			}
		}
	})
	require.Equal(t, bytesOut, slices.Sorted(maps.Keys(found)))
	require.Equal(t, []string{"Open"}, returningBytes(t, "package x\nfunc (s *S) Open() (answer []byte, err error) { return nil, nil }\nfunc open() []byte { return nil }\nfunc Text() string"))
}

// returningBytes lists the exported functions and methods of a Go file that return bytes.
func returningBytes(t *testing.T, text string) (names []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !f.Name.IsExported() || f.Type.Results == nil {
			continue
		}
		for _, result := range f.Type.Results.List {
			list, ok := result.Type.(*ast.ArrayType)
			if !ok || list.Len != nil {
				continue
			}
			if element, ok := list.Elt.(*ast.Ident); ok && element.Name == "byte" {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// layer is the entry point, domain or top-level part that a folder belongs to.
func layer(folder string) string {
	for _, entryPoint := range entryPoints {
		if folder == entryPoint || strings.HasPrefix(folder, entryPoint+"/") {
			return entryPoint
		}
	}
	parts := strings.Split(folder, "/")
	if parts[0] == "app" && len(parts) > 1 {
		return parts[1]
	}
	return parts[0]
}

// importsByFolder reads every folder's imports from this module, without tests.
func importsByFolder(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	eachFile(t, ".go", func(path, _ string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range file.Imports {
			if ours, ok := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), module); ok {
				out[filepath.Dir(path)] = append(out[filepath.Dir(path)], ours)
			}
		}
	})
	require.NotEmpty(t, out)
	return out
}

func eachFile(t *testing.T, suffix string, visit func(path, text string)) {
	t.Helper()
	for _, top := range []string{"app", "admin", "templates", "migrations", "locales", "customer-web"} {
		err := fs.WalkDir(os.DirFS(root), top, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist") {
				return errOrSkip(err)
			}
			if entry.IsDir() || !strings.HasSuffix(path, suffix) {
				return nil
			}
			text, err := os.ReadFile(filepath.Join(root, path))
			if err == nil {
				visit(path, string(text))
			}
			return err
		})
		require.NoError(t, err)
	}
}

func errOrSkip(err error) error {
	if err != nil {
		return err
	}
	return fs.SkipDir
}

// forbiddenPatterns are patterns that are allowed only in some folders.
var forbiddenPatterns = []struct {
	what    string
	pattern *regexp.Regexp
	allowed []string
}{
	{"json tags of the wire live in the doors, and in the providers' protocol; \"-\" names nothing and keeps a field out", regexp.MustCompile("`[^`]*json:\"(?:[^-]|-[^\"])"), []string{"app/api", "app/wire", "app/stream", "app/platform", "app/provider", "app/cmd", "app/server", "app/bench", "app/factor/factortest", "templates/assets"}},
	{"form tags live in the back office", regexp.MustCompile("`[^`]*form:\""), []string{"admin"}},
	{"gorm tags live in domains", regexp.MustCompile("`[^`]*gorm:\""), []string{"app"}},
	{"Echo lives in the doors", regexp.MustCompile(`labstack/echo`), []string{"app/api", "app/stream", "admin", "app/server", "app/bench"}},
	{"GORM's Save writes whole rows and inserts missing ones", regexp.MustCompile(`(Rows|tx|db|rows)(\(\w*\))?\.Save\(`), nil},
	{"GORM never changes tables", regexp.MustCompile(`AutoMigrate\(`), nil},
	{"codes and tokens need crypto/rand", regexp.MustCompile(`"math/rand"`), nil},
}

// TestForbiddenPatterns searches for the patterns outside their folders.
func TestForbiddenPatterns(t *testing.T) {
	t.Parallel()
	eachFile(t, ".go", func(path, text string) {
		if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".gen.go") {
			return
		}
		for _, forbidden := range forbiddenPatterns {
			inPlace := slices.ContainsFunc(forbidden.allowed, func(folder string) bool { return strings.HasPrefix(path, folder+"/") })
			if !inPlace && forbidden.pattern.MatchString(text) {
				t.Errorf("%s: %s", path, forbidden.what)
			}
		}
	})
}
