package access

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/casbin/casbin/v3"
	"github.com/casbin/casbin/v3/model"
	stringadapter "github.com/casbin/casbin/v3/persist/string-adapter"

	"candor/app/staff"
)

// ErrEmpty stops the start: a policy without rules would deny everything.
var ErrEmpty = errors.New("the back office's policy has no rules")

// Enforcer decides every permission check. It is safe for many goroutines. The policy never changes while the program runs, so casbin keeps its decisions.
type Enforcer struct{ casbin *casbin.SyncedCachedEnforcer }

// New loads the policy that is part of the program. It returns ErrEmpty for a policy without rules.
func New() (*Enforcer, error) { return newWith(staff.PolicyModel, staff.PolicyRules) }

func newWith(definition, rules string) (*Enforcer, error) {
	m, err := model.NewModelFromString(definition)
	if err != nil {
		return nil, fmt.Errorf("read the policy's model: %w", err)
	}
	enforcer, err := casbin.NewSyncedCachedEnforcer(m, stringadapter.NewAdapter(rules))
	if err != nil {
		return nil, fmt.Errorf("read the policy: %w", err)
	}
	all, err := enforcer.GetPolicy()
	if err == nil && len(all) == 0 {
		err = ErrEmpty
	}
	return &Enforcer{enforcer}, err
}

// Allowed reports whether one of the roles has a permission. Without a known role, for an empty permission and on every error it denies.
func (e *Enforcer) Allowed(roles []Role, permission Permission) bool {
	if permission == "" {
		return false
	}
	for _, role := range roles {
		if !role.Known() { // a part of roles is no role
			continue
		}
		yes, err := e.casbin.Enforce(string(role), string(permission))
		if err != nil {
			slog.Error("the policy could not be read", "role", role, "permission", permission, "error", err)
			return false
		}
		if yes {
			return true
		}
	}
	return false
}

var shipped = sync.OnceValues(New)

// PermissionsOf lists the permissions of a role, inherited ones included, in the order of the policy.
func PermissionsOf(role Role) (list []Permission) {
	e, err := shipped()
	if err != nil || !role.Known() {
		return nil
	}
	lines, err := e.casbin.GetImplicitPermissionsForUser(string(role))
	if err != nil {
		return nil
	}
	for _, line := range lines {
		list = append(list, Permission(line[1]))
	}
	return list
}
