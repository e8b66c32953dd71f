package dbtest

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	ownerRole  = "candor_owner"
	serverRole = "candor_server"

	// testPassword is no secret: test servers listen on loopback or are thrown away.
	testPassword = "candor-test"

	// prepareLock is an arbitrary number shared by all test processes.
	prepareLock = 8102642615
)

var roles = []struct{ name, powers string }{
	{ownerRole, "LOGIN CREATEDB"},
	{serverRole, "LOGIN"},
}

// source is the definition of a template; hash changes when up changes.
type source struct {
	hash string
	up   func(ctx context.Context, ownerURL string) error
}

// prepare creates the roles and the template unless another process has, and returns the template's name. An advisory lock admits one process at a time; it
// ends with the connection.
func prepare(ctx context.Context, u address, src source) (string, error) {
	conn, err := pgx.Connect(ctx, u.super.String())
	if err != nil {
		return "", fmt.Errorf("connect to the server for tests: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock($1)`, prepareLock); err != nil {
		return "", fmt.Errorf("wait for other test processes: %w", err)
	}
	if err := ensureRoles(ctx, conn, u); err != nil {
		return "", err
	}
	return ensureTemplate(ctx, conn, u, src)
}

func ensureRoles(ctx context.Context, conn *pgx.Conn, u address) error {
	for _, role := range roles {
		found, err := conn.Exec(ctx, `SELECT FROM pg_roles WHERE rolname = $1`, role.name)
		if err == nil && found.RowsAffected() == 0 {
			_, err = conn.Exec(ctx, fmt.Sprintf("CREATE ROLE %s %s PASSWORD '%s'", role.name, role.powers, testPassword))
		}
		if err != nil {
			return fmt.Errorf("make the role %s: %w", role.name, err)
		}
		if err := checkLogin(ctx, u, role.name); err != nil {
			return err
		}
	}
	return nil
}

// checkLogin refuses a server where others use the roles: tests must not change their passwords.
func checkLogin(ctx context.Context, u address, role string) error {
	conn, err := pgx.Connect(ctx, u.as(role, u.main()))
	if err != nil {
		return fmt.Errorf("the role %s on that server is not ours, so use a server that is for tests only: %w", role, err)
	}
	return conn.Close(ctx)
}

// setTestPasswords sets the test passwords on a server started here, whose roles have their own.
func setTestPasswords(ctx context.Context, super string) error {
	conn, err := pgx.Connect(ctx, super)
	if err != nil {
		return fmt.Errorf("set the passwords for tests: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, role := range roles {
		if _, err := conn.Exec(ctx, fmt.Sprintf("ALTER ROLE %s PASSWORD '%s'", role.name, testPassword)); err != nil {
			return fmt.Errorf("set the passwords for tests: %w", err)
		}
	}
	return nil
}

// ensureTemplate migrates an empty database and then marks it as a template. A database without the mark was left by a process that died, and is dropped.
func ensureTemplate(ctx context.Context, conn *pgx.Conn, u address, src source) (string, error) {
	name := "candor_tmpl_" + src.hash
	whole, err := isTemplate(ctx, conn, name)
	if err != nil || whole {
		return name, err
	}
	quoted := pgx.Identifier{name}.Sanitize()
	err = errors.Join(
		run(ctx, conn, "DROP DATABASE IF EXISTS "+quoted+" WITH (FORCE)"),
		run(ctx, conn, "CREATE DATABASE "+quoted+" OWNER "+ownerRole),
	)
	if err != nil {
		return "", err
	}
	if err := src.up(ctx, u.as(ownerRole, name)); err != nil {
		return "", fmt.Errorf("migrate the template: %w", err)
	}
	return name, run(ctx, conn, "ALTER DATABASE "+quoted+" IS_TEMPLATE true ALLOW_CONNECTIONS false")
}

func isTemplate(ctx context.Context, conn *pgx.Conn, name string) (bool, error) {
	found, err := conn.Exec(ctx, `SELECT FROM pg_database WHERE datname = $1 AND datistemplate`, name)
	if err != nil {
		return false, fmt.Errorf("look for the template: %w", err)
	}
	return found.RowsAffected() > 0, nil
}

func run(ctx context.Context, conn *pgx.Conn, statement string) error {
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}
