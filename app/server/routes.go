package server

import (
	"crypto/rand"
	"html"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v5"
	"github.com/vearutop/statigz"
	"github.com/vearutop/statigz/brotli"

	"candor/app/api"
	customerweb "candor/customer-web"
)

// NoncePlaceholder is the placeholder in the built page that each response replaces with a new nonce.
const NoncePlaceholder = "__CSP_NONCE__"

// appPolicy is the content security policy of the trader app's pages: only our own files, workers and sockets, pictures that the page made itself, and styles
// with the page's nonce. Style attributes in markup are blocked; styles that code sets through the CSSOM still work.
const appPolicy = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'nonce-" + NoncePlaceholder + "'; style-src-attr 'none'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

// framedPolicy is appPolicy for the trader app in a frame of the back office, on the same host.
func framedPolicy(nonce string) string {
	return strings.ReplaceAll(strings.Replace(appPolicy, "frame-ancestors 'none'", "frame-ancestors 'self'", 1), NoncePlaceholder, nonce)
}

// routes combines the API, the websocket server, the trader app, and the back office unless it has its own address, in one handler.
func (p *Platform) routes(apiServer *api.Server) http.Handler {
	e := p.NewEcho()
	apiServer.Mount(e)
	e.GET("/ws", echo.WrapHandler(p.Hub))
	if p.Config.AdminAddr == "" {
		p.mountBackOffice(e)
	}
	e.GET("/favicon.ico", func(c *echo.Context) error { return c.Redirect(http.StatusMovedPermanently, "/mark.svg") })
	app := TraderApp(customerweb.Dist, p.Config.NewsignKey)
	e.GET("/*", app, api.Compressed)
	e.HEAD("/*", app)
	return e
}

// TraderApp serves the built trader app: hashed files are cached permanently, all others only with revalidation. A file that the build has compressed is sent
// that way to browsers that accept it.
func TraderApp(dist fs.FS, newsignKey string) echo.HandlerFunc {
	files := statigz.FileServer(dist.(fs.ReadDirFS), brotli.AddEncoding)
	page := indexPage(dist, newsignKey)
	return func(c *echo.Context) error {
		name := strings.TrimPrefix(path.Clean(c.Request().URL.Path), "/")
		h := c.Response().Header()
		h.Set("Cache-Control", "no-cache")
		switch {
		case name == "" || name == "index.html":
			nonce := rand.Text()
			h.Set(echo.HeaderContentSecurityPolicy, strings.ReplaceAll(appPolicy, NoncePlaceholder, nonce))
			return c.HTML(http.StatusOK, strings.ReplaceAll(page, NoncePlaceholder, nonce))
		case strings.HasPrefix(name, "assets/"):
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		case strings.HasPrefix(name, "."):
			return echo.ErrNotFound
		}
		if info, err := fs.Stat(dist, name); err != nil || info.IsDir() {
			return echo.ErrNotFound
		}
		// The files are our own, and an icon has styles; the rest is for documents.
		for _, name := range []string{echo.HeaderContentSecurityPolicy, "Cross-Origin-Opener-Policy", "Permissions-Policy", echo.HeaderReferrerPolicy, echo.HeaderXFrameOptions} {
			h.Del(name)
		}
		files.ServeHTTP(c.Response(), c.Request())
		return nil
	}
}

// indexPage is the app's page, or before the first build a placeholder with instructions.
func indexPage(dist fs.FS, newsignKey string) string {
	for _, name := range []string{"index.html", "placeholder.html"} {
		if text, err := fs.ReadFile(dist, name); err == nil {
			return strings.Replace(string(text), "</head>", `<meta name="newsign-key" content="`+html.EscapeString(newsignKey)+`"></head>`, 1)
		}
	}
	return ""
}

// notFound answers requests without a route in plain text.
func notFound(c *echo.Context, err error) {
	status := http.StatusInternalServerError
	if coder, ok := err.(echo.HTTPStatusCoder); ok {
		status = coder.StatusCode()
	}
	if status >= http.StatusInternalServerError {
		slog.Error("a request failed", "path", c.Request().URL.Path, "error", err)
	}
	_ = c.String(status, http.StatusText(status)+"\n")
}
