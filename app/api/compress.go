package api

import (
	"compress/gzip"
	"net/http"

	"github.com/klauspost/compress/gzhttp"
	"github.com/labstack/echo/v5"
)

// leastCompressed is the size from which a response is compressed, in bytes: a smaller one fits one packet anyway.
const leastCompressed = 1000

var compressing = newCompressing()

func newCompressing() func(http.Handler) http.HandlerFunc {
	w, err := gzhttp.NewWrapper(gzhttp.MinSize(leastCompressed), gzhttp.CompressionLevel(gzip.BestSpeed), gzhttp.ContentTypes([]string{"application/json", "text/html"}))
	if err != nil {
		panic(err) // the options are constants
	}
	return w
}

// Compressed is middleware that compresses JSON and pages from 1 kB on. It must not serve pages that hold a secret beside text from the request to whoever has a
// cookie (BREACH): the traders' calls carry their session in a header, which no other site can make a browser send.
func Compressed(next echo.HandlerFunc) echo.HandlerFunc {
	compressed := echo.WrapMiddleware(func(h http.Handler) http.Handler { return compressing(h) })(next)
	return func(c *echo.Context) error {
		plain := c.Response()
		defer c.SetResponse(plain) // for whoever answers an error after the compressed response has ended
		return compressed(c)
	}
}
