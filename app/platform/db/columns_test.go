package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
)

func TestColumns(t *testing.T) {
	t.Parallel()
	type row struct {
		ID      int64
		FromIP  string
		Payment string `gorm:"column:reference"`
		Name    string `gorm:"-"`
	}
	require.Equal(t, "id, from_ip, reference", db.Columns[row]())
	require.Panics(t, func() { db.Columns[int]() })
}
