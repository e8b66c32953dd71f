-- Bodies of messages hold codes and links: they are stored sealed, each bound to its message, until it was sent or its life has ended.
-- +goose Up
ALTER TABLE outbox
    ADD COLUMN kind        text        NOT NULL DEFAULT 'unknown' CHECK (kind <> ''),
    ADD COLUMN body_key    bytea,
    ADD COLUMN body_sealed bytea,
    ADD COLUMN expires_at  timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN round       int         NOT NULL DEFAULT 0,
    DROP CONSTRAINT outbox_state_check;

-- What still waited was stored in clear; its codes are older than their life.
UPDATE outbox SET state = CASE state WHEN 'sent' THEN 'sent' ELSE 'expired' END;
ALTER TABLE outbox
    ALTER COLUMN kind DROP DEFAULT,
    ALTER COLUMN expires_at DROP DEFAULT,
    DROP COLUMN body,
    ADD CONSTRAINT outbox_state_check CHECK (state IN ('kept', 'queued', 'failed', 'sent', 'expired')),
    ADD CONSTRAINT outbox_sealed_check CHECK ((body_key IS NULL) = (body_sealed IS NULL)),
    ADD CONSTRAINT outbox_body_check CHECK (CASE WHEN state IN ('kept', 'queued') THEN body_key IS NOT NULL WHEN state IN ('sent', 'expired') THEN body_key IS NULL ELSE true END);
CREATE INDEX outbox_expires ON outbox (expires_at) WHERE body_key IS NOT NULL;

-- +goose Down
DROP INDEX outbox_expires;
ALTER TABLE outbox
    DROP CONSTRAINT outbox_body_check,
    DROP CONSTRAINT outbox_sealed_check,
    DROP CONSTRAINT outbox_state_check,
    ADD COLUMN body text NOT NULL DEFAULT '';
UPDATE outbox SET state = 'failed' WHERE state = 'expired';
ALTER TABLE outbox
    ALTER COLUMN body DROP DEFAULT,
    ADD CONSTRAINT outbox_state_check CHECK (state IN ('kept', 'queued', 'sent', 'failed')),
    DROP COLUMN kind,
    DROP COLUMN body_key,
    DROP COLUMN body_sealed,
    DROP COLUMN expires_at,
    DROP COLUMN round;
