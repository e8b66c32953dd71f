-- A conversation that was put off and has come back is one to work on: the desk sees since when.
-- +goose Up
ALTER TABLE conversations ADD COLUMN woken_at timestamptz;

-- +goose Down
ALTER TABLE conversations DROP COLUMN woken_at;
