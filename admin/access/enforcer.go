package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/casbin/casbin/v3"
	"github.com/casbin/casbin/v3/model"

	"candor/app/platform/db"
)

// ErrEmpty stops the start: without a rule everything would be denied, and with a wrong matcher everything allowed.
var ErrEmpty = errors.New("the back office's policy has no rules")

// equality matches roles and permissions exactly: no patterns and no paths.
const equality = `
[request_definition]
r = sub, obj
[policy_definition]
p = sub, obj
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.sub == p.sub && r.obj == p.obj`

// Enforcer decides every permission check. It is safe for many goroutines: a mutex guards the parts of Casbin that are not.
type Enforcer struct {
	mu     sync.Mutex
	casbin *casbin.Enforcer // nil denies everything
	db     *db.DB
}

// New writes the policy of the code to the database and reads it back. It returns ErrEmpty for an empty policy.
func New(ctx context.Context, d *db.DB) (*Enforcer, error) { return newWith(ctx, d, Policy) }

func newWith(ctx context.Context, d *db.DB, policy map[Role][]Permission) (*Enforcer, error) {
	if err := (rules{ctx, d}).write(policy); err != nil {
		return nil, fmt.Errorf("write the policy: %w", err)
	}
	e := &Enforcer{db: d}
	return e, e.Reload(ctx)
}

// Reload reads the policy again. After a failure everything is denied until a later Reload succeeds.
func (e *Enforcer) Reload(ctx context.Context) error {
	fresh, err := load(rules{ctx, e.db})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.casbin = fresh
	if err != nil {
		slog.ErrorContext(ctx, "the back office's policy could not be read: everything is denied", "error", err)
	}
	return err
}

func load(from rules) (*casbin.Enforcer, error) {
	m, err := model.NewModelFromString(equality)
	if err != nil {
		return nil, err
	}
	enforcer, err := casbin.NewEnforcer(m, from)
	if err != nil {
		return nil, err
	}
	all, err := enforcer.GetPolicy()
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, ErrEmpty
	}
	return enforcer, nil
}

// Allowed reports whether one of the roles has a permission. Without a role, for an empty permission and on every error it denies.
func (e *Enforcer) Allowed(roles []Role, permission Permission) bool {
	if permission == "" {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, role := range roles {
		if role == "" || e.casbin == nil {
			continue
		}
		yes, err := e.casbin.Enforce(string(role), string(permission))
		if err != nil {
			slog.Error("the policy could not be asked", "role", role, "permission", permission, "error", err)
			return false
		}
		if yes {
			return true
		}
	}
	return false
}
