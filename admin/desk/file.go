package desk

import (
	"log/slog"
	"net/http"
	"time"
)

// fileWithin is how long a file may take.
const fileWithin = 2 * time.Minute

// File answers with a CSV file of a name and the present minute, which write writes to the response. One that breaks off ends the connection.
func (r *Request) File(name string, write func() error) error {
	h := r.Response().Header()
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", `attachment; filename="`+name+`-`+r.Now().UTC().Format("2006-01-02-1504")+`.csv"`)
	_ = http.NewResponseController(r.Response()).SetWriteDeadline(time.Now().Add(fileWithin))
	if err := write(); err != nil {
		slog.ErrorContext(r.Context.Request().Context(), "a file broke off", "trace", r.TraceID, "error", err)
		panic(http.ErrAbortHandler) // its beginning is on the way: only the connection can still say that the rest is missing
	}
	return nil
}
