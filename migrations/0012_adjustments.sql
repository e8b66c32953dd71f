-- Corrections of balances that two or three people approved.
-- +goose Up
CREATE TABLE adjustments (
    id             bigint      PRIMARY KEY REFERENCES approvals(id),
    trader_id      bigint      NOT NULL REFERENCES traders(id),
    account_id     bigint      NOT NULL REFERENCES accounts(id),
    currency       text        NOT NULL,
    amount         bigint      NOT NULL CHECK (amount <> 0), -- into the account, or out of it
    reason         text        NOT NULL CHECK (reason IN ('missed_credit', 'duplicate_credit', 'fee_refund', 'goodwill', 'system_fault', 'chargeback')),
    reference      text        NOT NULL CHECK (reference <> ''), -- of the case that it belongs to
    transaction_id bigint      NOT NULL UNIQUE REFERENCES ledger_transactions(id),
    created_at     timestamptz NOT NULL
);
CREATE INDEX adjustments_trader ON adjustments (trader_id, id DESC);
CREATE TRIGGER adjustments_approved BEFORE INSERT ON adjustments FOR EACH ROW EXECUTE FUNCTION must_be_approved('id', 'adjustment', 'id');

-- +goose Down
DROP TABLE adjustments;
