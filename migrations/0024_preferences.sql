-- Preferences of traders: how the app looks and works on all of their devices.
-- +goose Up
-- One row per trader and field, so that the newest change of each field wins. They are the trader's own data: closing an account removes them.
CREATE TABLE trader_preferences (
    trader_id  bigint      NOT NULL REFERENCES traders(id),
    name       text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
    value      jsonb       NOT NULL CHECK (octet_length(value::text) <= 16384),
    changed_at timestamptz NOT NULL, -- when the trader changed it, never later than the server's clock
    CONSTRAINT trader_preferences_pkey PRIMARY KEY (trader_id, name)
);

-- +goose Down
DROP TABLE trader_preferences;
