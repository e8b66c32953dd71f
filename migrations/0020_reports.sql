-- Reports that members of staff get by mail.
-- +goose Up
CREATE TYPE report_rhythm AS ENUM ('daily', 'weekly');
CREATE CAST (text AS report_rhythm) WITH INOUT AS ASSIGNMENT;

CREATE TABLE report_subscriptions (
    id         bigint        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    staff_id   bigint        NOT NULL REFERENCES staff(id),
    report     text          NOT NULL CHECK (report <> ''),
    rhythm     report_rhythm NOT NULL,
    hour       smallint      NOT NULL CHECK ((hour >= 0) AND (hour <= 23)), -- of the zone
    zone       text          NOT NULL CHECK (zone <> ''), -- of the IANA list
    next_at    timestamptz   NOT NULL,
    created_at timestamptz   NOT NULL,
    ended_at   timestamptz
);
CREATE UNIQUE INDEX report_subscriptions_open ON report_subscriptions (staff_id, report) WHERE ended_at IS NULL;
CREATE INDEX report_subscriptions_due ON report_subscriptions (next_at) WHERE ended_at IS NULL;

-- +goose Down
DROP TABLE report_subscriptions;
DROP CAST (text AS report_rhythm);
DROP TYPE report_rhythm;
