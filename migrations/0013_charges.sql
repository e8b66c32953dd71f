-- What holding a position costs or brings: swaps at each rollover and dividends, once a position and day, counted from a quote and never changed.
-- And when an account was warned, so that no restart warns twice.
-- +goose Up
INSERT INTO accounts (id, kind, name, book, type, currency) VALUES
    (6, 'house', 'swaps', 'real', 0, 'USDT'), (7, 'house', 'dividends', 'real', 0, 'USDT'),
    (16, 'house', 'swaps', 'mock', 0, 'USDT'), (17, 'house', 'dividends', 'mock', 0, 'USDT');
ALTER TABLE positions
    ADD COLUMN swap       bigint NOT NULL DEFAULT 0, -- charged (negative) or received so far
    ADD COLUMN dividends  bigint NOT NULL DEFAULT 0,
    ADD COLUMN rolled_day date; -- up to which rollover both are settled
UPDATE positions SET rolled_day = now()::date;
ALTER TABLE positions ALTER COLUMN rolled_day SET NOT NULL;
CREATE TABLE charges (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid            xid8        NOT NULL DEFAULT pg_current_xact_id(),
    kind           text        NOT NULL CHECK (kind IN ('swap', 'dividend')),
    position_id    bigint      NOT NULL REFERENCES positions (id),
    account_id     bigint      NOT NULL REFERENCES accounts (id),
    product_id     int         NOT NULL,
    terms          int         NOT NULL,
    day            date        NOT NULL, -- of the rollover, in New York
    nights         int         NOT NULL CHECK (nights >= 0),
    side           text        NOT NULL CHECK (side IN ('buy', 'sell')),
    lots           bigint      NOT NULL CHECK (lots > 0),
    rate           bigint      NOT NULL, -- the swap of the side in the terms' own unit, or the dividend of one unit
    price          bigint,               -- that a percentage is taken of
    quote_seq      bigint,               -- the last quote before the rollover
    conversion_product int,
    conversion_seq     bigint,
    conversion_inverse boolean  NOT NULL DEFAULT false,
    amount         bigint      NOT NULL,
    transaction_id bigint REFERENCES ledger_transactions (id), -- NULL when no money moved
    created_at     timestamptz NOT NULL,
    at_ms          bigint      NOT NULL, -- market time of the rollover
    UNIQUE (position_id, kind, day),
    CHECK ((price IS NULL) = (quote_seq IS NULL)),
    FOREIGN KEY (product_id, terms) REFERENCES product_terms (product_id, version),
    FOREIGN KEY (product_id, quote_seq) REFERENCES tape_quotes (product_id, seq),
    FOREIGN KEY (conversion_product, conversion_seq) REFERENCES tape_quotes (product_id, seq)
);
CREATE INDEX charges_account ON charges (account_id, id DESC);
CREATE INDEX charges_position ON charges (position_id, id);

CREATE TABLE margin_calls (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint      NOT NULL REFERENCES accounts (id),
    equity       bigint      NOT NULL,
    used_margin  bigint      NOT NULL,
    created_at   timestamptz NOT NULL,
    at_ms        bigint      NOT NULL, -- market time
    recovered_at timestamptz
);
CREATE UNIQUE INDEX margin_calls_open ON margin_calls (account_id) WHERE recovered_at IS NULL;
CREATE INDEX margin_calls_account ON margin_calls (account_id, id DESC);

-- +goose Down
DROP TABLE margin_calls, charges;
ALTER TABLE positions DROP COLUMN swap, DROP COLUMN dividends, DROP COLUMN rolled_day;
DELETE FROM accounts WHERE id IN (6, 7, 16, 17);
