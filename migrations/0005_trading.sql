-- Orders become fills, fills open and close positions. A fill names its quote and is never changed.
-- +goose Up
CREATE TABLE orders (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint      NOT NULL REFERENCES accounts (id),
    product_id   int         NOT NULL REFERENCES products (id),
    type         text        NOT NULL CHECK (type IN ('market')),
    intent       text        NOT NULL CHECK (intent IN ('open', 'close')),
    side         text        NOT NULL CHECK (side IN ('buy', 'sell')),
    lots         bigint      NOT NULL CHECK (lots > 0),
    leverage     int         NOT NULL CHECK (leverage > 0),
    stop_loss    bigint CHECK (stop_loss > 0),
    take_profit  bigint CHECK (take_profit > 0),
    slippage_bps int         NOT NULL CHECK (slippage_bps >= 0),
    source       text        NOT NULL CHECK (source IN ('user', 'system')),
    status       text        NOT NULL CHECK (status IN ('filled')),
    position_id  bigint,
    created_at   timestamptz NOT NULL
);
CREATE INDEX orders_account ON orders (account_id, id DESC);

CREATE TABLE positions (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint      NOT NULL REFERENCES accounts (id),
    product_id   int         NOT NULL REFERENCES products (id),
    side         text        NOT NULL CHECK (side IN ('buy', 'sell')),
    lots         bigint      NOT NULL CHECK (lots >= 0), -- still open
    lots_opened  bigint      NOT NULL CHECK (lots_opened >= lots),
    open_price   bigint      NOT NULL CHECK (open_price > 0),
    leverage     int         NOT NULL CHECK (leverage > 0),
    margin       bigint      NOT NULL CHECK (margin >= 0), -- of the open lots, unhedged, in the account's currency
    stop_loss    bigint CHECK (stop_loss > 0),
    take_profit  bigint CHECK (take_profit > 0),
    commission   bigint      NOT NULL DEFAULT 0, -- charged so far
    realised     bigint      NOT NULL DEFAULT 0,
    state        text        NOT NULL CHECK (state IN ('open', 'closed')),
    close_reason text CHECK (close_reason IN ('manual', 'sl', 'tp', 'stop_out')),
    close_price  bigint,
    version      int         NOT NULL DEFAULT 1,
    opened_at    timestamptz NOT NULL,
    closed_at    timestamptz,
    CHECK ((state = 'closed') = (lots = 0)),
    CHECK ((state = 'closed') = (closed_at IS NOT NULL))
);
CREATE INDEX positions_open ON positions (account_id) WHERE state = 'open';
CREATE INDEX positions_closed ON positions (account_id, closed_at DESC, id DESC) WHERE state = 'closed';

CREATE TABLE fills (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid             xid8        NOT NULL DEFAULT pg_current_xact_id(),
    order_id        bigint      NOT NULL UNIQUE REFERENCES orders (id),
    position_id     bigint      NOT NULL REFERENCES positions (id),
    account_id      bigint      NOT NULL REFERENCES accounts (id),
    product_id      int         NOT NULL,
    side            text        NOT NULL CHECK (side IN ('buy', 'sell')),
    entry           text        NOT NULL CHECK (entry IN ('open', 'close')),
    rule            text        NOT NULL CHECK (rule IN ('market', 'sl', 'tp', 'stop_out')),
    lots            bigint      NOT NULL CHECK (lots > 0),
    price           bigint      NOT NULL CHECK (price > 0),
    quote_seq       bigint      NOT NULL,
    open_price      bigint,          -- of the position, on a close
    limit_price     bigint,          -- the SL or TP that fired
    leverage        int         NOT NULL,
    margin          bigint      NOT NULL, -- taken by an opening fill, released by a closing one
    commission      bigint      NOT NULL CHECK (commission >= 0),
    profit          bigint      NOT NULL,
    conversion_product int,          -- the product whose mid converted, and its quote; NULL where quote currency and account currency are one
    conversion_seq     bigint,
    conversion_inverse boolean     NOT NULL DEFAULT false,
    margin_product  int,             -- the same for the margin
    margin_seq      bigint,
    margin_inverse  boolean     NOT NULL DEFAULT false,
    transaction_id  bigint REFERENCES ledger_transactions (id), -- NULL when no money moved
    equity          bigint      NOT NULL, -- before the fill
    used_margin     bigint      NOT NULL, -- before the fill
    created_at      timestamptz NOT NULL,
    at_ms           bigint      NOT NULL, -- market time
    FOREIGN KEY (product_id, quote_seq) REFERENCES tape_quotes (product_id, seq),
    FOREIGN KEY (conversion_product, conversion_seq) REFERENCES tape_quotes (product_id, seq),
    FOREIGN KEY (margin_product, margin_seq) REFERENCES tape_quotes (product_id, seq)
);
CREATE INDEX fills_account ON fills (account_id, id DESC);
CREATE INDEX fills_position ON fills (position_id, id);

-- +goose Down
DROP TABLE fills, positions, orders;
