package passwords

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"candor/app/platform/admission"
	"candor/app/platform/refusals"
)

// niceness is how far workers step back behind everything else that needs a core. A hash still gets about a tenth of a busy core: at 19, no one
// could log in while others keep every core busy.
const niceness = 10

const (
	patience = 10 * time.Second // for one answer; a slower worker is replaced
	goodbye  = time.Second      // for a worker to end
)

// Workers are processes that hash, one password each at a time. Go gives a hashing goroutine the same right to a core as one that answers an order, and the
// 19 MiB of each hash are garbage afterwards; a process has its own priority and heap.
type Workers struct {
	command  []string
	patience time.Duration
	idle     chan *worker
	closed   chan struct{}
	close    func()
	failed   refusals.Counter
}

// worker is one process; the zero value has ended.
type worker struct {
	process   *exec.Cmd
	end       io.Closer
	questions *json.Encoder
	answers   *json.Decoder
}

// act is what a worker must do.
type act string

const (
	ready  act = "ready" // answer
	create act = "hash"
	match  act = "match"
)

// question asks a worker to do something.
type question struct {
	Act      act
	Password []byte
	Hash     string
}

// answer is a worker's answer. Problem is why there is none.
type answer struct {
	Match   bool
	Hash    string
	Problem string
}

// errEnded means that a process has ended and won't answer.
var errEnded = errors.New("the process has ended")

// Start launches n workers and waits until each of them answers. The command must call Work.
func Start(n int, command ...string) (*Workers, error) {
	w := &Workers{command: command, patience: patience, idle: make(chan *worker, n), closed: make(chan struct{})}
	w.close = sync.OnceFunc(func() { close(w.closed) })
	var all []*worker
	var failed error
	for range n {
		one, err := w.launch()
		all, failed = append(all, one), errors.Join(failed, err)
	}
	for _, one := range all {
		if failed == nil {
			_, failed = w.askOne(one, question{Act: ready})
		}
	}
	for _, one := range all {
		if failed != nil {
			one.stop()
		}
		w.idle <- one
	}
	if failed != nil {
		return nil, fmt.Errorf("start the processes that compare passwords: %w", failed)
	}
	return w, nil
}

// Close ends the workers. Later calls return admission.ErrBusy.
func (w *Workers) Close() {
	w.close()
	limit := time.After(goodbye)
	for range cap(w.idle) {
		select {
		case one := <-w.idle:
			one.stop()
		case <-limit: // it is busy, and ends with this process
			return
		}
	}
}

// launch starts a process without an environment, which holds secrets, and in its own session: Linux shares the cores out by session first.
func (w *Workers) launch() (*worker, error) {
	process := exec.Command(w.command[0], w.command[1:]...) //nolint:gosec // our own program
	process.Args[0] = os.Args[0]                            // its usual name, whatever path leads to it
	process.Env = []string{"GOMAXPROCS=1"}
	process.Stderr = os.Stderr
	process.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := process.StdinPipe()
	if err != nil {
		return &worker{}, err
	}
	out, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		return &worker{}, err
	}
	return &worker{process: process, end: in, questions: json.NewEncoder(in), answers: json.NewDecoder(out)}, nil
}

// ask sends a question to an idle worker. When its process has ended, a new one is started; if that fails, this process answers. It returns
// admission.ErrBusy when the worker is too slow, or after Close.
func (w *Workers) ask(q question) (a answer, err error) {
	var one *worker
	select {
	case one = <-w.idle:
	case <-w.closed:
		return a, admission.ErrBusy
	}
	defer func() { w.idle <- one }()
	a, err = w.askOne(one, q)
	if err == nil {
		return a.orProblem()
	}
	w.log("a process that compares passwords is replaced", err)
	slow := errors.Is(err, admission.ErrBusy)
	one.stop()
	if one, err = w.launch(); slow {
		return answer{}, admission.ErrBusy
	}
	if err == nil {
		a, err = w.askOne(one, q)
	}
	if err != nil {
		w.log("no process compares passwords: the server does it", err)
		a = reply(q)
	}
	return a.orProblem()
}

// log logs an error, only some of many alike.
func (w *Workers) log(what string, err error) {
	if _, n, log := w.failed.Count(refusals.Kind{Reason: what}, time.Now()); log {
		slog.Error(what, "error", err, "this_minute", n)
	}
}

// Hash implements Argon2.
func (w *Workers) Hash(password []byte) (string, error) {
	a, err := w.ask(question{Act: create, Password: password})
	return a.Hash, err
}

// Matches implements Argon2.
func (w *Workers) Matches(password []byte, hash string) (bool, error) {
	a, err := w.ask(question{Act: match, Password: password, Hash: hash})
	return a.Match, err
}

// askOne returns errEnded, or admission.ErrBusy when the worker was killed because it took too long.
func (w *Workers) askOne(one *worker, q question) (a answer, err error) {
	if one.process == nil {
		return a, errEnded
	}
	late := time.AfterFunc(w.patience, func() { _ = one.process.Process.Kill() })
	if err = one.questions.Encode(q); err == nil {
		err = one.answers.Decode(&a)
	}
	if !late.Stop() {
		return answer{}, admission.ErrBusy
	}
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errEnded, err)
	}
	return a, nil
}

// orProblem is the answer, or its problem as an error.
func (a answer) orProblem() (answer, error) {
	if a.Problem != "" {
		return answer{}, errors.New(a.Problem)
	}
	return a, nil
}

// stop ends the process: it exits when its questions end, and is killed if it goes on.
func (one *worker) stop() {
	if one.process == nil {
		return
	}
	_ = one.end.Close()
	late := time.AfterFunc(goodbye, func() { _ = one.process.Process.Kill() })
	defer late.Stop()
	_ = one.process.Wait()
}

// Work is a worker's loop: it answers questions until there are no more.
func Work(in io.Reader, out io.Writer) error {
	lowerPriority()
	questions, answers := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var q question
		if err := questions.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read a question: %w", err)
		}
		if err := answers.Encode(reply(q)); err != nil {
			return fmt.Errorf("write an answer: %w", err)
		}
	}
}

func reply(q question) (a answer) {
	var err error
	switch q.Act {
	case ready:
	case create:
		a.Hash, err = InProcess{}.Hash(q.Password)
	case match:
		a.Match, err = InProcess{}.Matches(q.Password, q.Hash)
	default:
		err = fmt.Errorf("%q is nothing that can be asked", q.Act)
	}
	if err != nil {
		a.Problem = err.Error()
	}
	return a
}

// lowerPriority lowers the priority of this process's group, which is its own, and on Linux that of its session (autogroup, see sched(7)). Linux allows one such
// change in a tenth of a second; where the system refuses for good, the log says so.
func lowerPriority() {
	err := syscall.Setpriority(syscall.PRIO_PGRP, 0, niceness)
	session := os.WriteFile(autogroup, []byte(strconv.Itoa(niceness)), 0)
	for range 20 {
		if !errors.Is(session, syscall.EAGAIN) {
			break
		}
		time.Sleep(110 * time.Millisecond)
		session = os.WriteFile(autogroup, []byte(strconv.Itoa(niceness)), 0)
	}
	if errors.Is(session, os.ErrNotExist) { // another system, or a Linux without autogroups
		session = nil
	}
	if err = errors.Join(err, session); err != nil {
		slog.Warn("passwords are compared at the priority of everything else", "error", err)
	}
}

const autogroup = "/proc/self/autogroup"
