-- Rebates: what traders earn on the fills of those they invited.
-- +goose Up
CREATE TYPE void_reason AS ENUM ('device', 'document', 'payee');
CREATE CAST (text AS void_reason) WITH INOUT AS ASSIGNMENT;

-- Invitations that earn nothing: the invited is the inviter, as far as facts tell.
CREATE TABLE void_invitations (
    invited_id bigint      PRIMARY KEY REFERENCES traders(id),
    inviter_id bigint      NOT NULL REFERENCES traders(id),
    reason     void_reason NOT NULL,
    voided_at  timestamptz NOT NULL
);

-- The last transaction whose fills have their rebates.
CREATE TABLE rebate_cursor (
    id  int  PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    xid xid8 NOT NULL
);

CREATE TABLE rebate_payments (
    id             bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    inviter_id     bigint       NOT NULL REFERENCES traders(id),
    day            date         NOT NULL, -- whose fills it pays, and those of before
    amount         money_amount NOT NULL CHECK (amount > 0),
    fills          int          NOT NULL CHECK (fills > 0),
    transaction_id bigint       NOT NULL REFERENCES ledger_transactions(id),
    paid_at        timestamptz  NOT NULL,
    CONSTRAINT rebate_payments_day UNIQUE (inviter_id, day)
);

CREATE TABLE rebates (
    fill_id        bigint       PRIMARY KEY REFERENCES fills(id),
    inviter_id     bigint       NOT NULL REFERENCES traders(id),
    invited_id     bigint       NOT NULL REFERENCES traders(id),
    commission     money_amount NOT NULL,
    markup         money_amount NOT NULL,
    ratio_bps      int          NOT NULL CHECK (ratio_bps BETWEEN 1 AND 10000),
    amount         money_amount NOT NULL CHECK (amount > 0),
    transaction_id bigint       NOT NULL REFERENCES ledger_transactions(id), -- sets it aside
    filled_at      timestamptz  NOT NULL,
    reversed       money_amount NOT NULL DEFAULT 0, -- of the amount, by refunds of the fill's costs
    payment_id     bigint       REFERENCES rebate_payments(id),
    CONSTRAINT rebates_not_on_oneself CHECK (inviter_id <> invited_id),
    CONSTRAINT rebates_reversed_part CHECK (reversed <= amount)
);
CREATE INDEX rebates_unpaid ON rebates (inviter_id, filled_at) WHERE payment_id IS NULL AND reversed < amount;
CREATE INDEX rebates_inviter ON rebates (inviter_id, invited_id, filled_at);
CREATE INDEX rebates_fill ON rebates (inviter_id, fill_id DESC);

-- A refund of a fill's costs takes its part of the rebate back, once.
CREATE TABLE rebate_reversals (
    adjustment_id  bigint       PRIMARY KEY REFERENCES adjustments(id),
    fill_id        bigint       NOT NULL REFERENCES rebates(fill_id),
    amount         money_amount NOT NULL CHECK (amount > 0),
    transaction_id bigint       NOT NULL REFERENCES ledger_transactions(id),
    reversed_at    timestamptz  NOT NULL
);

-- +goose Down
DROP TABLE rebate_reversals, rebates, rebate_payments, rebate_cursor, void_invitations;
DROP CAST (text AS void_reason);
DROP TYPE void_reason;
