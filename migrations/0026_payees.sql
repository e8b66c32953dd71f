-- Where a trader's money may be sent. A payee is never taken out: what money went to stays readable; where it points can't change.
-- +goose Up
CREATE TABLE payees (
    id          bigint GENERATED ALWAYS AS IDENTITY (START WITH 70001) PRIMARY KEY,
    trader_id   bigint      NOT NULL REFERENCES traders (id),
    kind        text        NOT NULL CHECK (kind IN ('address', 'bank')),
    coin        text        NOT NULL DEFAULT '',
    chain       text        NOT NULL DEFAULT '',
    address     text        NOT NULL DEFAULT '',
    memo        text        NOT NULL DEFAULT '',
    label       text        NOT NULL,
    holder      text        NOT NULL DEFAULT '',
    bank        text        NOT NULL DEFAULT '',
    iban        text        NOT NULL DEFAULT '',
    bic         text        NOT NULL DEFAULT '',
    preferred   boolean     NOT NULL DEFAULT false,
    usable_from timestamptz NOT NULL, -- money can go there from then on
    removed_at  timestamptz,
    created_at  timestamptz NOT NULL,
    version     int         NOT NULL DEFAULT 1,
    CHECK ((kind = 'address') = (address <> '' AND chain <> '' AND coin <> '')),
    CHECK ((kind = 'bank') = (iban <> '' AND bic <> '' AND holder <> '' AND bank <> '')),
    CHECK (NOT preferred OR (kind = 'bank' AND removed_at IS NULL)),
    CHECK (usable_from >= created_at + interval '24 hours')
);
CREATE UNIQUE INDEX payees_address ON payees (trader_id, chain, address) WHERE kind = 'address' AND removed_at IS NULL;
CREATE UNIQUE INDEX payees_iban ON payees (trader_id, iban) WHERE kind = 'bank' AND removed_at IS NULL;
CREATE UNIQUE INDEX payees_preferred ON payees (trader_id) WHERE preferred;
CREATE INDEX payees_trader ON payees (trader_id, id DESC) WHERE removed_at IS NULL;

-- A trader's own rules for money that goes out, and the one row that changes of payees line up at.
CREATE TABLE payee_settings (
    trader_id      bigint  PRIMARY KEY REFERENCES traders (id),
    whitelist_only boolean NOT NULL DEFAULT false,
    pending_off_at timestamptz, -- from then on the rule no longer holds
    version        int     NOT NULL DEFAULT 1,
    CHECK (whitelist_only OR pending_off_at IS NULL)
);

-- +goose Down
DROP TABLE payee_settings, payees;
