package api

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"
)

// numbers is a list of count rows with descending ids; the page after broken fails.
func numbers(count, broken int64) table[int64] {
	return table[int64]{
		columns: []string{"number"},
		page: func(before int64, offset, limit int) (rows []int64, err error) {
			if broken != 0 && before != 0 && before <= broken && offset == 0 {
				return nil, errors.New("the database is away")
			}
			if before == 0 {
				before = count + 1
			}
			for n := before - 1 - int64(offset); n > 0 && len(rows) < limit; n-- {
				rows = append(rows, n)
			}
			return rows, nil
		},
		id:    func(n int64) int64 { return n },
		cells: func(n int64) []string { return []string{strconv.FormatInt(n, 10)} },
	}
}

func fetch(t *testing.T, list table[int64]) (*http.Response, []byte, error) {
	t.Helper()
	e := echo.New()
	e.GET("/", func(c *echo.Context) error { return export(c, list) })
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	response, err := http.Get(server.URL)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response, body, err
}

func TestAFileHoldsItsRowsAndSaysWhenItIsCut(t *testing.T) {
	t.Parallel()
	for _, count := range []int64{0, 1, exportPage - 1, exportPage, exportPage + 1, exportRows - 1, exportRows, exportRows + 1, 3 * exportRows} {
		response, body, err := fetch(t, numbers(count, 0))
		require.NoError(t, err)
		file := csv.NewReader(bytes.NewReader(body))
		rows, err := file.ReadAll()
		require.NoError(t, err)
		want := [][]string{{"number"}}
		for n := count; n > max(0, count-exportRows); n-- {
			want = append(want, []string{strconv.FormatInt(n, 10)})
		}
		require.Equal(t, want, rows, "%d rows", count)
		cut := ""
		if count > exportRows {
			cut = strconv.Itoa(exportRows)
		}
		require.Equal(t, cut, response.Header.Get("Cut-At"), "%d rows", count)
	}
}

func TestAWholeFileIsNotCut(t *testing.T) {
	t.Parallel()
	for _, count := range []int64{0, exportPage, exportRows, exportRows + 1, 2 * exportRows} {
		list := numbers(count, 0)
		list.whole = true
		response, body, err := fetch(t, list)
		require.NoError(t, err)
		rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, int(count)+1)
		require.Empty(t, response.Header.Get("Cut-At"))
	}
}

func TestAFileThatBreaksOffIsNoFile(t *testing.T) {
	t.Parallel()
	_, body, err := fetch(t, numbers(5_000, 3_000))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "not a whole answer: %d bytes", len(body))
	response, _, err := fetch(t, table[int64]{page: func(int64, int, int) ([]int64, error) { return nil, errors.New("the database is away") }})
	require.NoError(t, err)
	require.Equal(t, http.StatusInternalServerError, response.StatusCode, "nothing was on the way yet")
}
