-- The credit score that a trader's own facts make, day by day, and what staff found wrong in a chat. It informs; nothing decides by it.
-- +goose Up
CREATE TYPE conduct_reason AS ENUM ('abuse', 'false_evidence', 'spam', 'threats');
CREATE TYPE conduct_outcome AS ENUM ('removed', 'upheld');
CREATE CAST (text AS conduct_reason) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS conduct_outcome) WITH INOUT AS ASSIGNMENT;

-- One row a trader and day (UTC): the score, the version of its rules, and the facts that they counted.
CREATE TABLE credit_scores (
    trader_id         bigint      NOT NULL REFERENCES traders(id),
    day               date        NOT NULL,
    rules             int         NOT NULL CHECK (rules > 0),
    score             int         NOT NULL CHECK (score BETWEEN 300 AND 850),
    identity_level    int         NOT NULL CHECK (identity_level BETWEEN 0 AND 2),
    age_days          int         NOT NULL CHECK (age_days >= 0),
    settled_deposits  int         NOT NULL CHECK (settled_deposits >= 0),
    bounced_deposits  int         NOT NULL CHECK (bounced_deposits >= 0),
    disputed_deposits int         NOT NULL CHECK (disputed_deposits >= 0),
    margin_calls      int         NOT NULL CHECK (margin_calls >= 0),
    conduct_flags     int         NOT NULL CHECK (conduct_flags >= 0),
    computed_at       timestamptz NOT NULL,
    CONSTRAINT credit_scores_pkey PRIMARY KEY (trader_id, day)
);

CREATE TABLE conduct_flags (
    id              bigint          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id       bigint          NOT NULL REFERENCES traders(id),
    conversation_id bigint          NOT NULL REFERENCES conversations(id),
    reason          conduct_reason  NOT NULL,
    note            text            NOT NULL CHECK (char_length(note) BETWEEN 10 AND 1000), -- for staff
    made_by         bigint          NOT NULL REFERENCES staff(id),
    made_at         timestamptz     NOT NULL,
    day             date            NOT NULL, -- on which it was made, UTC
    appeal          text            CHECK (char_length(appeal) BETWEEN 10 AND 1000), -- what the trader says
    appealed_at     timestamptz,
    outcome         conduct_outcome,
    decided_by      bigint          REFERENCES staff(id),
    decided_at      timestamptz,
    CONSTRAINT conduct_flags_day UNIQUE (trader_id, day),
    CONSTRAINT conduct_flags_appealed CHECK ((appeal IS NULL) = (appealed_at IS NULL)),
    CONSTRAINT conduct_flags_decided CHECK (num_nulls(outcome, decided_by, decided_at) IN (0, 3) AND (outcome IS NULL OR appeal IS NOT NULL)),
    CONSTRAINT conduct_flags_two CHECK (decided_by <> made_by)
);
CREATE INDEX conduct_flags_trader ON conduct_flags (trader_id, made_at);
CREATE INDEX conduct_flags_open ON conduct_flags (appealed_at, id) WHERE appealed_at IS NOT NULL AND outcome IS NULL;
CREATE TRIGGER conduct_flags_not_own BEFORE INSERT OR UPDATE OF made_by, decided_by ON conduct_flags FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('made_by', 'decided_by');

CREATE TRIGGER only_of_closing BEFORE DELETE ON credit_scores FOR EACH ROW EXECUTE FUNCTION only_of_closing();
CREATE TRIGGER only_of_closing BEFORE DELETE ON conduct_flags FOR EACH ROW EXECUTE FUNCTION only_of_closing();

-- +goose Down
DROP TABLE conduct_flags, credit_scores;
DROP CAST (text AS conduct_outcome);
DROP CAST (text AS conduct_reason);
DROP TYPE conduct_outcome, conduct_reason;
