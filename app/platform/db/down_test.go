package db

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

func TestIsDown(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"ShuttingDown":     &pgconn.PgError{Code: "57P01"},
		"TooMany":          &pgconn.PgError{Code: "53300"},
		"CutInAnAnswer":    fmt.Errorf("read the fills: %w", io.ErrUnexpectedEOF),
		"ResetInAQuestion": fmt.Errorf("post: %w", &net.OpError{Op: "write", Err: errors.New("broken pipe")}),
	} {
		require.True(t, IsDown(err), name)
	}
	for name, err := range map[string]error{
		"Nothing": nil, "AWrongQuestion": &pgconn.PgError{Code: "42601"}, "TheEndOfAFile": io.EOF, "AnError": errors.New("no"),
	} {
		require.False(t, IsDown(err), name)
	}
}
