// Package errs is the one vocabulary of refusals: a kind that each server maps to its reply, and a locale key that names the reason.
package errs

import (
	"errors"
	"fmt"
)

// Kind is the sort of a refusal; every server maps it to a reply in one place.
type Kind int

// The kinds of refusal. Any error that is not an *Error is internal: the user reads a general message, the log has the details.
const (
	Invalid         Kind = iota + 1 // the input is malformed; Fields says where
	Refused                         // a business rule refuses it
	NotFound                        // absent, or another user's
	Forbidden                       // known, but not allowed
	Unauthenticated                 // no session, or an expired one
	Conflict                        // it has changed meanwhile
	TooMany                         // a cap or a throttle
	Unavailable                     // try again later; nothing was done
)

// Error is a refusal that the user may see.
type Error struct {
	Kind   Kind
	Key    string            // locale key without its "error." prefix, for example "order.no_margin"
	Args   map[string]string // named arguments of the text
	Fields map[string]string // field name to locale key, for Invalid
}

func (e *Error) Error() string {
	if len(e.Fields) > 0 {
		return fmt.Sprintf("%s %v", e.Key, e.Fields)
	}
	return e.Key
}

// With returns a copy that carries one more named argument.
func (e *Error) With(name string, value any) *Error {
	out := *e
	out.Args = make(map[string]string, len(e.Args)+1)
	for k, v := range e.Args {
		out.Args[k] = v
	}
	out.Args[name] = fmt.Sprint(value)
	return &out
}

// Is compares keys, so that errors.Is matches a package's refusals whatever their arguments.
func (e *Error) Is(target error) bool {
	var other *Error
	return errors.As(target, &other) && other.Key == e.Key
}

// New makes a refusal. Packages declare theirs as variables beside the methods that return them.
func New(kind Kind, key string) *Error { return &Error{Kind: kind, Key: key} }

// Field makes an Invalid error about one input field; reason is a locale key such as "field.required".
func Field(field, reason string) *Error {
	return &Error{Kind: Invalid, Key: "invalid_input", Fields: map[string]string{field: reason}}
}

// As finds the refusal in err, or nil when err is internal.
func As(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
