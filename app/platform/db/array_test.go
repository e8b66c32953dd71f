package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
)

// listed is a model with columns of array types.
type listed struct {
	ID      int64
	Words   []string `gorm:"serializer:array"`
	Numbers []int64  `gorm:"serializer:array"`
}

func (listed) TableName() string { return "listed" }

func TestAModelMayHaveArrays(t *testing.T) {
	t.Parallel()
	d, err := db.Open(t.Context(), dbtest.New(t).OwnerURL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	_, err = d.Pool.Exec(t.Context(), `CREATE TABLE listed (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, words text[], numbers bigint[])`)
	require.NoError(t, err)
	one := listed{Words: []string{}}
	require.NoError(t, d.Rows(t.Context()).Create(&one).Error)
	for _, want := range []listed{one, {ID: one.ID, Words: []string{"a", `b, "c"`, ""}, Numbers: []int64{1, -2}}} {
		require.NoError(t, d.Rows(t.Context()).Model(&want).Select("*").Updates(&want).Error)
		var got listed
		require.NoError(t, d.Rows(t.Context()).Where("id = ?", one.ID).Find(&got).Error)
		require.Equal(t, want, got)
	}
}
