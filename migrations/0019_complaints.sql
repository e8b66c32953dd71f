-- The register of complaints: who complained about what, until when they are answered, and what they were told.
-- +goose Up
CREATE TYPE complaint_state AS ENUM ('acknowledged', 'answered', 'closed', 'investigating', 'received');
CREATE TYPE complaint_channel AS ENUM ('chat', 'letter', 'mail', 'phone');
CREATE TYPE complaint_category AS ENUM ('conduct', 'deposit', 'execution', 'other', 'platform', 'verification', 'withdrawal');
CREATE TYPE complaint_outcome AS ENUM ('partly', 'rejected', 'upheld');
CREATE TYPE complaint_letter AS ENUM ('acknowledgement', 'extension');
CREATE TYPE complaint_way AS ENUM ('letter', 'mail', 'phone');
CREATE CAST (text AS complaint_state) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS complaint_channel) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS complaint_category) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS complaint_outcome) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS complaint_letter) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS complaint_way) WITH INOUT AS ASSIGNMENT;

CREATE TABLE complaints (
    id              bigint             GENERATED ALWAYS AS IDENTITY (START WITH 6001) PRIMARY KEY,
    trader_id       bigint             NOT NULL REFERENCES traders(id),
    conversation_id bigint             REFERENCES conversations(id), -- in which it was made
    channel         complaint_channel  NOT NULL,
    category        complaint_category NOT NULL,
    product         text               NOT NULL, -- the short code of a product; empty if it is about none
    summary         text               NOT NULL CHECK (summary <> ''),
    received_on     date               NOT NULL,
    claimed         money_amount       CHECK (claimed > 0), -- what the trader claims, in 10^-6 USDT
    state           complaint_state    NOT NULL DEFAULT 'received',
    registered_by   bigint             NOT NULL REFERENCES staff(id),
    registered_at   timestamptz        NOT NULL,
    key             text               NOT NULL, -- of the form
    acknowledge_due date               NOT NULL, -- the last day for the acknowledgement
    answer_due      date               NOT NULL, -- the last day for the final answer
    handler_id      bigint             REFERENCES staff(id), -- who investigates
    acknowledged_at timestamptz,
    extended_at     timestamptz,
    approval        bigint             REFERENCES approvals(id), -- of the final answer
    outcome         complaint_outcome,
    redress         text, -- what the trader gets
    root_cause      text,
    answer          text, -- as the trader reads it
    answer_way      complaint_way,
    answered_at     timestamptz, -- when the second person agreed; a mail is sent then
    answer_sent_on  date, -- the day on which the answer was sent or told
    closed_at       timestamptz,
    version         int                NOT NULL DEFAULT 1,
    CONSTRAINT complaints_key UNIQUE (registered_by, key),
    CONSTRAINT complaints_days CHECK ((received_on <= acknowledge_due) AND (acknowledge_due <= answer_due)),
    CONSTRAINT complaints_chat CHECK ((conversation_id IS NULL) OR (channel = 'chat')),
    CONSTRAINT complaints_acknowledged CHECK ((state = 'received') = (acknowledged_at IS NULL)),
    CONSTRAINT complaints_handled CHECK (((state = 'received') OR (state = 'acknowledged')) = (handler_id IS NULL)),
    CONSTRAINT complaints_answered CHECK (((state = 'answered') OR (state = 'closed')) = (answered_at IS NOT NULL)),
    CONSTRAINT complaints_answer CHECK ((answered_at IS NULL) = (outcome IS NULL) AND (answered_at IS NULL) = (redress IS NULL) AND (answered_at IS NULL) = (root_cause IS NULL)
        AND (answered_at IS NULL) = (answer IS NULL) AND (answered_at IS NULL) = (answer_way IS NULL)),
    CONSTRAINT complaints_closed CHECK ((state = 'closed') = (closed_at IS NOT NULL) AND ((closed_at IS NULL) OR (answer_sent_on IS NOT NULL)))
);
CREATE INDEX complaints_open ON complaints (answer_due, id) WHERE (state <> 'answered') AND (state <> 'closed');
CREATE INDEX complaints_list ON complaints (id DESC);
CREATE INDEX complaints_trader ON complaints (trader_id, id DESC);
CREATE TRIGGER complaints_approved BEFORE INSERT OR UPDATE ON complaints FOR EACH ROW
    WHEN (NEW.answered_at IS NOT NULL) EXECUTE FUNCTION must_be_approved('approval', 'complaint_answer', 'id');

-- What a trader was told before the final answer, and how.
CREATE TABLE complaint_letters (
    id           bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    complaint_id bigint           NOT NULL REFERENCES complaints(id),
    kind         complaint_letter NOT NULL,
    way          complaint_way    NOT NULL,
    sent_on      date             NOT NULL,
    text         text             NOT NULL CHECK (text <> ''),
    by_id        bigint           NOT NULL REFERENCES staff(id),
    at           timestamptz      NOT NULL,
    CONSTRAINT complaint_letters_once UNIQUE (complaint_id, kind)
);

-- +goose Down
DROP TABLE complaint_letters, complaints;
DROP CAST (text AS complaint_state);
DROP CAST (text AS complaint_channel);
DROP CAST (text AS complaint_category);
DROP CAST (text AS complaint_outcome);
DROP CAST (text AS complaint_letter);
DROP CAST (text AS complaint_way);
DROP TYPE complaint_state;
DROP TYPE complaint_channel;
DROP TYPE complaint_category;
DROP TYPE complaint_outcome;
DROP TYPE complaint_letter;
DROP TYPE complaint_way;
