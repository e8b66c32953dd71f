// Package compress compresses responses for clients that accept it.
package compress

import (
	"compress/gzip"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/labstack/echo/v5"
)

// least is the size from which a response is compressed, in bytes: a smaller one fits one packet anyway.
const least = 1000

var wrap = newWrapper()

func newWrapper() func(http.Handler) http.HandlerFunc {
	w, err := gzhttp.NewWrapper(gzhttp.MinSize(least), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ContentTypes([]string{"application/json", "text/html"}))
	if err != nil {
		panic(err) // the options are constants
	}
	return w
}

// Responses is middleware that compresses JSON and pages from 1 kB on. It must not serve pages that hold a secret beside text from the request to whoever has a
// cookie (BREACH): the traders' calls carry their session in a header, which no other site can make a browser send.
func Responses(next echo.HandlerFunc) echo.HandlerFunc {
	compressed := echo.WrapMiddleware(func(h http.Handler) http.Handler { return wrap(h) })(next)
	return func(c *echo.Context) error {
		plain := c.Response()
		defer c.SetResponse(plain) // for whoever answers an error after the compressed response has ended
		return compressed(c)
	}
}
