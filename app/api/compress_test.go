package api_test

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	"candor/app/api"
)

func TestCompressed(t *testing.T) {
	t.Parallel()
	long, short := `{"list":"`+strings.Repeat("price ", 200)+`"}`, `{"list":""}`
	e := echo.New()
	e.GET("/long", func(c *echo.Context) error { return c.JSONBlob(http.StatusOK, []byte(long)) }, api.Compressed)
	e.GET("/short", func(c *echo.Context) error { return c.JSONBlob(http.StatusOK, []byte(short)) }, api.Compressed)
	e.GET("/picture", func(c *echo.Context) error { return c.Blob(http.StatusOK, "image/jpeg", []byte(long)) }, api.Compressed)
	e.GET("/failed", func(*echo.Context) error { return errors.New("failed") }, api.Compressed)
	ask := func(path, accepted string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set("Accept-Encoding", accepted)
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, request)
		return answer
	}
	t.Run("ALongOneIsCompressed", func(t *testing.T) {
		t.Parallel()
		got := ask("/long", "gzip, deflate, br")
		require.Equal(t, "gzip", got.Header().Get("Content-Encoding"))
		require.Contains(t, got.Header().Values("Vary"), "Accept-Encoding")
		require.Less(t, got.Body.Len(), len(long)/4)
		unpacked, err := gzip.NewReader(got.Body)
		require.NoError(t, err)
		text, err := io.ReadAll(unpacked)
		require.NoError(t, err)
		require.Equal(t, long, string(text))
	})
	t.Run("OthersAreSentAsTheyAre", func(t *testing.T) {
		t.Parallel()
		for _, one := range []struct{ about, path, accepted, want string }{
			{"a short one", "/short", "gzip", short},
			{"a picture", "/picture", "gzip", long},
			{"to a client that takes none", "/long", "identity", long},
			{"to a client that refuses it", "/long", "gzip;q=0", long},
		} {
			got := ask(one.path, one.accepted)
			require.Empty(t, got.Header().Get("Content-Encoding"), one.about)
			require.Equal(t, one.want, got.Body.String(), one.about)
		}
	})
	t.Run("AnErrorIsAnsweredOutsideOfIt", func(t *testing.T) {
		t.Parallel()
		got := ask("/failed", "gzip")
		require.Equal(t, http.StatusInternalServerError, got.Code)
		require.Contains(t, got.Body.String(), "Internal Server Error")
	})
}
