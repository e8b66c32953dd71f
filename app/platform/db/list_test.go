package db_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
)

// numbers is a list of the numbers to 3,000, of which a filter can keep the multiples of another.
func numbers(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), dbtest.New(t).OwnerURL)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	_, err = pool.Exec(t.Context(), `CREATE TABLE numbers (id bigint PRIMARY KEY, owner int NOT NULL);
		CREATE TABLE words (number bigint NOT NULL, word text NOT NULL);
		INSERT INTO numbers SELECT n, 1 FROM generate_series(1, 3000) n; INSERT INTO words SELECT n, 'n' || n FROM generate_series(1, 3000) n;
		INSERT INTO numbers SELECT n, 2 FROM generate_series(3001, 4000) n`)
	require.NoError(t, err)
	return pool
}

func TestList(t *testing.T) {
	t.Parallel()
	pool := numbers(t)
	of := func(owner, before, multiple, limit int) db.List {
		l := db.List{Columns: "id", Table: "numbers", Order: "id DESC", Limit: limit}
		l.Rows("owner = ?", owner)
		l.RowsIf(before != 0, "id < ?", before)
		l.KeepIf(multiple != 0, "id % ? = 0", multiple)
		return l
	}
	read := func(t *testing.T, l db.List) ([]int64, int64) {
		t.Helper()
		list, next, err := db.Read(t.Context(), pool, l, pgx.RowTo[int64], func(id int64) int64 { return id })
		require.NoError(t, err)
		return list, next
	}
	tests := []struct {
		name                           string
		owner, before, multiple, limit int
		list                           []int64
		next                           int64
	}{
		{"FirstPage", 1, 0, 0, 2, []int64{3000, 2999}, 2999},
		{"NextPage", 1, 2999, 0, 2, []int64{2998, 2997}, 2997},
		{"LastPageHasNoNext", 1, 3, 0, 2, []int64{2, 1}, 0},
		{"APageThatIsNotFull", 1, 2, 0, 2, []int64{1}, 0},
		{"Filtered", 1, 0, 100, 2, []int64{3000, 2900}, 2900},
		{"AFullPageBeforeTheEndOfTheStretch", 1, 0, 300, 2, []int64{3000, 2700}, 2700},
		{"AFullPageAtTheEndOfTheStretch", 1, 0, 400, 2, []int64{2800, 2400}, 2001},
		{"LittleIsFoundInAStretch", 1, 0, 2500, 2, []int64{2500}, 2001},
		{"NothingIsFoundInAStretch", 1, 2500, 2500, 2, []int64{}, 1500},
		{"NothingIsFoundInTheLast", 1, 1001, 2500, 2, []int64{}, 0},
		{"OfNobody", 3, 0, 100, 2, []int64{}, 0},
		{"AListAsLongAsAStretch", 2, 0, 5000, 2, []int64{}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, next := read(t, of(test.owner, test.before, test.multiple, test.limit))
			require.Equal(t, test.list, list)
			require.Equal(t, test.next, next)
		})
	}
	t.Run("PagesJoinToTheWhole", func(t *testing.T) {
		for _, multiple := range []int{0, 7, 1300, 9999} {
			l := of(1, 0, multiple, 5_000)
			l.Whole = true
			whole, next := read(t, l)
			require.Zero(t, next)
			joined := []int64{}
			for pages, before := 0, 0; pages == 0 || before != 0; pages++ {
				page, next := read(t, of(1, before, multiple, 60))
				joined, before = append(joined, page...), int(next)
			}
			require.Equal(t, whole, joined, multiple)
		}
	})
	t.Run("NumberedPages", func(t *testing.T) {
		for offset, want := range map[int][]int64{0: {3000, 2900}, 4: {2600, 2500}, 10: {}} {
			l := of(1, 0, 100, 2)
			l.Offset = offset
			list, _ := read(t, l)
			require.Equal(t, want, list, offset)
		}
		l := of(1, 0, 0, 2)
		l.Offset = 2_500
		list, next := read(t, l)
		require.Equal(t, []int64{500, 499}, list, "what nothing narrows is reached however far it is")
		require.EqualValues(t, 499, next)
	})
	t.Run("Joined", func(t *testing.T) {
		l := db.List{Columns: "numbers.id, word", Table: "numbers", Join: "JOIN words ON number = numbers.id", Order: "numbers.id DESC", Limit: 2}
		l.Rows("owner = ?", 1)
		l.KeepIf(true, "word LIKE ?", db.Prefix("n29"))
		list, next, err := db.Read(t.Context(), pool, l, pgx.RowToStructByPos[struct {
			ID   int64
			Word string
		}], func(row struct {
			ID   int64
			Word string
		}) int64 {
			return row.ID
		})
		require.NoError(t, err)
		require.Equal(t, "n2998", list[1].Word)
		require.EqualValues(t, 2998, next)
	})
	t.Run("Counts", func(t *testing.T) {
		for _, test := range []struct {
			owner, before, multiple, total int
			more                           bool
		}{{1, 0, 0, db.Stretch, true}, {1, 0, 1000, 2, true}, {1, 501, 0, 500, false}, {1, 501, 100, 5, false}, {2, 0, 0, 1_000, false}, {3, 0, 0, 0, false}} {
			total, more, err := db.Count(t.Context(), pool, of(test.owner, test.before, test.multiple, 1))
			require.NoError(t, err)
			require.Equal(t, test.total, total, fmt.Sprint(test))
			require.Equal(t, test.more, more, fmt.Sprint(test))
		}
	})
}
