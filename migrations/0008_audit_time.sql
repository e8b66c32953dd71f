-- The audit log is searched by time, and its newest entries are read first.
-- +goose Up
CREATE INDEX audit_entries_at ON audit_entries (at DESC);
-- +goose Down
DROP INDEX audit_entries_at;
