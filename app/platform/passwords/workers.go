package passwords

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
)

// niceness is how far workers step back behind everything else that wants a core: all the way. While every core is busy passwords wait.
const niceness = 19

// Workers are processes that hash, one password each at a time. Go gives a goroutine that computes as much right to a core as one that answers an order, and the
// 19 MiB of each hash are garbage afterwards; a process has a priority and a heap of its own.
type Workers struct {
	command []string
	idle    chan *worker
}

// worker is one process; the zero one has ended.
type worker struct {
	process   *exec.Cmd
	end       io.Closer
	questions *json.Encoder
	answers   *json.Decoder
}

// question asks whether a password fits a hash; without a hash, for one.
type question struct {
	Password []byte
	Hash     string
}

// answer is an answer to a question. Problem is why there is none.
type answer struct {
	Match   bool
	Hash    string
	Problem string
}

// errEnded says that the process has ended, and answers nothing.
var errEnded = errors.New("the process has ended")

// Start starts so many workers; the command is to call Work.
func Start(workers int, command ...string) (*Workers, error) {
	w := &Workers{command: command, idle: make(chan *worker, workers)}
	for range workers {
		one, err := w.launch()
		w.idle <- one
		if err != nil {
			w.stop(len(w.idle))
			return nil, err
		}
	}
	return w, nil
}

// Close ends the workers, those that are at work after their answer.
func (w *Workers) Close() { w.stop(cap(w.idle)) }

func (w *Workers) stop(workers int) {
	for range workers {
		(<-w.idle).stop()
	}
}

// launch starts a process. It has nothing of our environment, where secrets are, and a session of its own: Linux shares the cores out by session first.
func (w *Workers) launch() (*worker, error) {
	process := exec.Command(w.command[0], w.command[1:]...) //nolint:gosec // our own program
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
		return &worker{}, fmt.Errorf("start a process that compares passwords: %w", err)
	}
	return &worker{process: process, end: in, questions: json.NewEncoder(in), answers: json.NewDecoder(out)}, nil
}

// ask asks a worker that is idle. When its process has ended a new one is started; when that is not possible, this process answers.
func (w *Workers) ask(q question) (a answer, err error) {
	one := <-w.idle
	defer func() { w.idle <- one }()
	if a, err = one.ask(q); !errors.Is(err, errEnded) {
		return a, err
	}
	slog.Error("a process that compares passwords is started again", "error", err)
	one.stop()
	if one, err = w.launch(); err == nil {
		a, err = one.ask(q)
	}
	if err != nil {
		slog.Error("no process compares passwords: the server does it", "error", err)
		a = reply(q)
	}
	return a.orProblem()
}

// Hash is Argon2's.
func (w *Workers) Hash(password []byte) (string, error) {
	a, err := w.ask(question{Password: password})
	return a.Hash, err
}

// Matches is Argon2's.
func (w *Workers) Matches(password []byte, hash string) (bool, error) {
	a, err := w.ask(question{Password: password, Hash: hash})
	return a.Match, err
}

func (one *worker) ask(q question) (a answer, err error) {
	if one.process == nil {
		return a, errEnded
	}
	if err = one.questions.Encode(q); err == nil {
		err = one.answers.Decode(&a)
	}
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errEnded, err)
	}
	return a.orProblem()
}

// orProblem is the answer, or why there is none.
func (a answer) orProblem() (answer, error) {
	if a.Problem != "" {
		return answer{}, errors.New(a.Problem)
	}
	return a, nil
}

// stop ends the process: without questions it has nothing left to do.
func (one *worker) stop() {
	if one.process != nil {
		_ = one.end.Close()
		_ = one.process.Wait()
	}
}

// Work is what a worker does: it answers questions until there are no more.
func Work(in io.Reader, out io.Writer) error {
	stepBack()
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
	if q.Hash == "" {
		a.Hash, err = Here{}.Hash(q.Password)
	} else {
		a.Match, err = Here{}.Matches(q.Password, q.Hash)
	}
	if err != nil {
		a.Problem = err.Error()
	}
	return a
}

// stepBack lowers the priority of the thread that hashes, and on Linux that of the session. Where the system refuses, the priority stays as it is.
func stepBack() {
	runtime.LockOSThread()
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	_ = os.WriteFile("/proc/self/autogroup", []byte(strconv.Itoa(niceness)), 0) // see sched(7)
}
