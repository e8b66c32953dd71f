-- What staff keep a trader from (orders, money out, logging in), for a reason that the trader reads and until when; somebody else lifts it. And what they note about one.
-- +goose Up
CREATE TABLE trader_restrictions (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint      NOT NULL,
    guest     boolean     NOT NULL GENERATED ALWAYS AS (false) STORED,
    kind      text        NOT NULL CHECK (kind IN ('trade', 'withdraw', 'login')),
    reason    text        NOT NULL CHECK (reason IN ('verification_needed', 'unusual_activity', 'requested_by_trader', 'payment_dispute', 'legal_order', 'other')),
    note      text        NOT NULL CHECK (char_length(note) BETWEEN 1 AND 1000), -- for staff alone
    set_by    bigint      NOT NULL REFERENCES staff (id),
    set_at    timestamptz NOT NULL,
    until_at  timestamptz,                                                       -- none: until somebody lifts it
    ended_at  timestamptz,
    lifted_by bigint      REFERENCES staff (id),                                 -- none: its time was over
    lift_note text        NOT NULL DEFAULT '' CHECK (char_length(lift_note) <= 1000),
    version   int         NOT NULL DEFAULT 1,
    FOREIGN KEY (trader_id, guest) REFERENCES traders (id, guest),
    CHECK (until_at > set_at),
    CHECK (set_by <> lifted_by),
    CHECK ((lifted_by IS NULL) = (lift_note = '')),
    CHECK (lifted_by IS NULL OR ended_at IS NOT NULL),
    CHECK (ended_at IS NULL OR lifted_by IS NOT NULL OR (until_at IS NOT NULL AND ended_at = until_at))
);
CREATE UNIQUE INDEX trader_restrictions_living ON trader_restrictions (trader_id, kind) WHERE ended_at IS NULL;
CREATE INDEX trader_restrictions_trader ON trader_restrictions (trader_id, id DESC);

CREATE TABLE trader_notes (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id  bigint      NOT NULL REFERENCES traders (id),
    author_id  bigint      NOT NULL REFERENCES staff (id),
    text       text        NOT NULL CHECK (char_length(text) BETWEEN 1 AND 2000),
    created_at timestamptz NOT NULL
);
CREATE INDEX trader_notes_trader ON trader_notes (trader_id, id DESC);

ALTER TABLE orders
    DROP CONSTRAINT orders_reason_check,
    ADD CONSTRAINT orders_reason_check CHECK (reason IN ('trader', 'no_margin', 'too_many_positions', 'expired', 'oco', 'close_only', 'restricted'));

-- +goose Down
ALTER TABLE orders
    DROP CONSTRAINT orders_reason_check,
    ADD CONSTRAINT orders_reason_check CHECK (reason IN ('trader', 'no_margin', 'too_many_positions', 'expired', 'oco', 'close_only'));
DROP TABLE trader_notes, trader_restrictions;
