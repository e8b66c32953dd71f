-- The secrets that providers and the house sign with are stored sealed, each bound to its provider, so that neither a copy of the configuration nor of the database holds one.
-- +goose Up
CREATE TABLE provider_secrets (
    provider      text        PRIMARY KEY CHECK (provider <> ''),
    id            bigint      GENERATED ALWAYS AS IDENTITY UNIQUE, -- the rotation of keys goes through the rows by it
    secret_key    bytea       NOT NULL,
    secret_sealed bytea       NOT NULL,
    set_at        timestamptz NOT NULL
);

-- +goose Down
DROP TABLE provider_secrets;
