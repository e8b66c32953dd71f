package desk

import (
	"log/slog"
	"net/http"
	"time"
)

// fileWithin is how long a file may take.
const fileWithin = 2 * time.Minute

// File answers with a CSV file, named after name and the current minute, which write writes to the response. An error of write ends the connection.
func (r *Request) File(name string, write func() error) error {
	h := r.Response().Header()
	h.Set("Content-Type", "text/csv; charset=utf-8; header=present")
	h.Set("Content-Disposition", `attachment; filename="`+name+`-`+r.Now().UTC().Format("2006-01-02-1504")+`.csv"`)
	_ = http.NewResponseController(r.Response()).SetWriteDeadline(time.Now().Add(fileWithin))
	if err := write(); err != nil {
		slog.ErrorContext(r.Context.Request().Context(), "a file broke off", "trace", r.TraceID, "error", err)
		panic(http.ErrAbortHandler) // the beginning is sent: only a broken connection can show that the rest is missing
	}
	return nil
}
