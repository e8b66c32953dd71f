package embeddedpg

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// ensureRoles makes what the first start must make. It runs at every start, because the
// first one may have been cut off between initdb and here.
func (s *Server) ensureRoles(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.SuperURL("postgres"))
	if err != nil {
		return fmt.Errorf("make the database roles: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	steps := []struct{ have, name, make string }{
		{`SELECT FROM pg_roles WHERE rolname = $1`, "candor_owner",
			"CREATE ROLE candor_owner LOGIN CREATEDB PASSWORD '" + s.passwords.Owner + "'"},
		{`SELECT FROM pg_roles WHERE rolname = $1`, "candor_server",
			"CREATE ROLE candor_server LOGIN PASSWORD '" + s.passwords.Server + "'"},
		{`SELECT FROM pg_database WHERE datname = $1`, Database,
			"CREATE DATABASE " + Database + " OWNER candor_owner"},
	}
	for _, step := range steps {
		if err := ensure(ctx, conn, step.have, step.name, step.make); err != nil {
			return fmt.Errorf("make %s: %w", step.name, err)
		}
	}
	return nil
}

func ensure(ctx context.Context, conn *pgx.Conn, have, name, create string) error {
	found, err := conn.Exec(ctx, have, name)
	if err != nil || found.RowsAffected() > 0 {
		return err
	}
	_, err = conn.Exec(ctx, create)
	return err
}
