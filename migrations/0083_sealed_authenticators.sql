-- Secrets of authenticators are stored sealed, each bound to its person. SQL can't seal: the server does it at its next start and empties totp_secret,
-- which nobody writes any more.
-- +goose Up
ALTER TABLE staff
    ADD COLUMN totp_key    bytea,
    ADD COLUMN totp_sealed bytea,
    ADD CONSTRAINT staff_totp_sealed CHECK ((totp_key IS NULL) = (totp_sealed IS NULL)),
    ADD CONSTRAINT staff_totp_clear CHECK (totp_secret = '') NOT VALID;

-- +goose Down
ALTER TABLE staff
    DROP CONSTRAINT staff_totp_clear,
    DROP CONSTRAINT staff_totp_sealed,
    DROP COLUMN totp_sealed,
    DROP COLUMN totp_key;
