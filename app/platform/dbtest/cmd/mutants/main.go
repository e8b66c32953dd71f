// Command mutants plants one fault after another in the program and requires the tests to catch each: mutants [name]. It exits with 1 when one survives.
//
// A fault never touches the tree: go build reads the changed file through an overlay.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"candor/app/platform/dbtest"
)

// within is the time limit for the tests to catch a fault.
const within = time.Minute

// fault is a plausible mistake: it replaces a text that occurs exactly once in its file.
type fault struct {
	name, file, text, replacement string
	pkg                           string // the package whose tests catch it
	run                           string // the tests to run
}

func main() {
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	if err := run(only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run plants all faults, or only the named one.
func run(only string, out io.Writer) (err error) {
	super, stop, err := dbtest.StartServer(context.Background())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	dir, err := os.MkdirTemp("", "candor-mutants-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := runner{dir: dir, env: append(os.Environ(), dbtest.Variable+"="+super), out: out}
	var chosen []fault
	for _, f := range faults {
		if only == "" || f.name == only {
			chosen = append(chosen, f)
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("there is no fault %q", only)
	}
	if err := b.checkBaseline(chosen); err != nil {
		return err
	}
	return b.plant(chosen)
}

type runner struct {
	dir string
	env []string
	out io.Writer
}

// checkBaseline requires the tests to pass without a fault: a test that always fails catches nothing.
func (b runner) checkBaseline(list []fault) error {
	tests, order := map[string][]string{}, []string{}
	for _, f := range list {
		if tests[f.pkg] == nil {
			order = append(order, f.pkg)
		}
		tests[f.pkg] = append(tests[f.pkg], f.run)
	}
	for _, pkg := range order {
		program, err := b.build(pkg, "")
		if err != nil {
			return err
		}
		r := b.test(program, pkg, strings.Join(tests[pkg], "|"), 5*within)
		if !r.passed {
			return fmt.Errorf("the tests of %s fail without any fault:\n%s", pkg, r.output)
		}
		fmt.Fprintf(b.out, "sound   %s without a fault  %.1fs\n", pkg, r.took.Seconds())
	}
	return nil
}

// plant applies each fault and reports whether it was caught, by which test, and how fast.
func (b runner) plant(list []fault) error {
	started, survivors := time.Now(), []string{}
	for _, f := range list {
		overlay, err := b.overlay(f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		program, err := b.build(f.pkg, overlay)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		r := b.test(program, f.pkg, f.run, within)
		if r.failed == "" {
			survivors = append(survivors, f.name)
			fmt.Fprintf(b.out, "SURVIVED  %s  %s  %.1fs\n", f.name, f.pkg, r.took.Seconds())
			continue
		}
		fmt.Fprintf(b.out, "caught  %s  %s  %s  %.1fs\n", f.name, f.pkg, r.failed, r.took.Seconds())
	}
	line, err := json.Marshal(map[string]any{
		"goal": "G2", "commit": os.Getenv("COMMIT"), "faults": len(list), "caught": len(list) - len(survivors), "seconds": int(time.Since(started).Seconds()),
	})
	fmt.Fprintln(b.out, string(line))
	if len(survivors) > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d faults survived: %s", len(survivors), len(list), strings.Join(survivors, ", ")))
	}
	return err
}

// overlay writes the changed file, and the overlay list for go build.
func (b runner) overlay(f fault) (path string, err error) {
	text, err := os.ReadFile(f.file)
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), f.text); n != 1 {
		return "", fmt.Errorf("the text to replace is in %s %d times: it must be there once", f.file, n)
	}
	changed := filepath.Join(b.dir, f.name+".go")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), f.text, f.replacement, 1)), 0o600); err != nil {
		return "", err
	}
	original, err := filepath.Abs(f.file)
	if err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	path = filepath.Join(b.dir, f.name+".json")
	return path, os.WriteFile(path, list, 0o600)
}

// build compiles a package's test program.
func (b runner) build(pkg, overlay string) (program string, err error) {
	program = filepath.Join(b.dir, "tests")
	args := []string{"test", "-c", "-o", program}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	said, err := exec.Command("go", append(args, "./"+pkg)...).CombinedOutput() //nolint:gosec // our own packages
	if err != nil {
		return "", fmt.Errorf("build the tests of %s: %w\n%s", pkg, err, said)
	}
	return program, nil
}

// result is the outcome of a test program.
type result struct {
	passed bool
	failed string // the first failed test, or a panic; empty when none failed, even after a timeout
	output string
	took   time.Duration
}

var failure = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)

// test runs some of a package's tests until the first one fails.
func (b runner) test(program, pkg, pattern string, limit time.Duration) result {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-test.run", pattern, "-test.failfast", "-test.count=1")
	cmd.Dir, cmd.Env, cmd.WaitDelay = pkg, b.env, 10*time.Second
	started := time.Now()
	said, err := cmd.CombinedOutput()
	r := result{passed: err == nil, output: string(said), took: time.Since(started)}
	for _, found := range failure.FindAllStringSubmatch(r.output, -1) {
		if strings.HasPrefix(found[1], r.failed) { // a failed subtest is listed after its parent
			r.failed = found[1]
		}
	}
	if r.failed == "" && strings.Contains(r.output, "\npanic: ") { // in a goroutine of a test, which then prints no result
		r.failed = "a panic"
	}
	if strings.Contains(r.output, "no tests to run") {
		r.passed, r.failed = false, ""
	}
	return r
}
