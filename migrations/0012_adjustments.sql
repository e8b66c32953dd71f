-- Corrections of balances that two or three people approved.
-- +goose Up
CREATE TYPE adjustment_reason AS ENUM ('chargeback', 'duplicate_credit', 'fee_refund', 'goodwill', 'missed_credit', 'system_fault');
CREATE CAST (text AS adjustment_reason) WITH INOUT AS ASSIGNMENT;
CREATE TYPE adjustment_case AS ENUM ('complaint', 'conversation', 'deposit', 'fill', 'order', 'task', 'withdrawal');
CREATE CAST (text AS adjustment_case) WITH INOUT AS ASSIGNMENT;

CREATE TABLE adjustments (
    id             bigint            PRIMARY KEY REFERENCES approvals(id),
    trader_id      bigint            NOT NULL REFERENCES traders(id),
    account_id     bigint            NOT NULL REFERENCES accounts(id),
    currency       currency          NOT NULL,
    amount         money_change      NOT NULL CHECK (amount <> 0), -- into the account, or out of it
    reason         adjustment_reason NOT NULL,
    case_kind      adjustment_case   NOT NULL, -- what it answers: a case of the same trader
    case_id        bigint            NOT NULL CHECK (case_id > 0),
    transaction_id bigint            NOT NULL UNIQUE REFERENCES ledger_transactions(id),
    created_at     timestamptz       NOT NULL
);
CREATE INDEX adjustments_trader ON adjustments (trader_id, id DESC);
CREATE TRIGGER adjustments_approved BEFORE INSERT ON adjustments FOR EACH ROW EXECUTE FUNCTION must_be_approved('id', 'adjustment', 'id');

-- +goose Down
DROP TABLE adjustments;
DROP CAST (text AS adjustment_reason);
DROP TYPE adjustment_reason;
DROP CAST (text AS adjustment_case);
DROP TYPE adjustment_case;
