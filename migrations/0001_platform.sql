-- What the program itself keeps: results of keyed requests, counters across servers, messages to be sent, refused requests, uploaded files, and the audit trail.
-- +goose Up
CREATE TYPE outbox_channel AS ENUM ('mail', 'sms');
CREATE TYPE outbox_state AS ENUM ('expired', 'failed', 'kept', 'queued', 'sent');
CREATE TYPE audit_actor_kind AS ENUM ('staff', 'system', 'trader');
CREATE TYPE audit_result AS ENUM ('denied', 'done', 'failed');
CREATE CAST (text AS outbox_channel) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS outbox_state) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS audit_actor_kind) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS audit_result) WITH INOUT AS ASSIGNMENT;

-- Idempotency keys of writes, with the result of each as JSON: a later request with the key gets the same answer.
CREATE TABLE idempotency_keys (
    trader_id  bigint      NOT NULL,
    call       text        NOT NULL,
    key        text        NOT NULL,
    body_hash  bytea       NOT NULL,
    trace_id   text        NOT NULL,
    created_at timestamptz NOT NULL,
    result     bytea,
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (trader_id, call, key)
);

-- Counters that must be exact across servers: wrong passwords, codes asked for.
CREATE TABLE throttles (
    name    text        NOT NULL,
    subject text        NOT NULL,
    count   int         NOT NULL,
    since   timestamptz NOT NULL,
    CONSTRAINT throttles_pkey PRIMARY KEY (name, subject)
);

-- Messages to traders and staff. "kept" means that no sender is configured; the body is emptied once a message was sent.
CREATE TABLE outbox (
    id          bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    channel     outbox_channel NOT NULL,
    recipient   text           NOT NULL,
    subject     text           NOT NULL,
    state       outbox_state   NOT NULL,
    created_at  timestamptz    NOT NULL,
    sent_at     timestamptz,
    kind        text           NOT NULL CHECK (kind <> ''),
    body_key    bytea,
    body_sealed bytea,
    expires_at  timestamptz    NOT NULL,
    round       int            NOT NULL DEFAULT 0,
    CONSTRAINT outbox_sealed_check CHECK ((body_key IS NULL) = (body_sealed IS NULL)),
    CONSTRAINT outbox_body_check CHECK (
CASE
    WHEN (state IN ('kept', 'queued')) THEN (body_key IS NOT NULL)
    WHEN (state IN ('sent', 'expired')) THEN (body_key IS NULL)
    ELSE true
END)
);
CREATE INDEX outbox_recipient ON outbox (recipient text_pattern_ops, id DESC);
CREATE INDEX outbox_expires ON outbox (expires_at) WHERE body_key IS NOT NULL;

-- What the product refused a trader, so that support finds what a person tells of; the newest only.
CREATE TABLE refusals (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint      NOT NULL,
    code      text        NOT NULL,
    call      text        NOT NULL,
    trace_id  text        NOT NULL,
    at        timestamptz NOT NULL
);
CREATE INDEX refusals_trader ON refusals (trader_id, id DESC);
CREATE INDEX refusals_at ON refusals (at);

CREATE TABLE files (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL UNIQUE, -- random; the only name a browser sees
    trader_id  bigint      NOT NULL,
    purpose    text        NOT NULL,
    type       text        NOT NULL,
    size       int         NOT NULL,
    width      int         NOT NULL,
    height     int         NOT NULL,
    pages      int         NOT NULL DEFAULT 0 CHECK (pages >= 0), -- of the PDF whose first pages the picture shows; 0 for a picture
    sha256     bytea       NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX files_sha256 ON files (sha256);
CREATE INDEX files_trader ON files (trader_id, created_at);

CREATE TABLE audit_entries (
    id          bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid         xid8             NOT NULL DEFAULT pg_current_xact_id(),
    at          timestamptz      NOT NULL,
    actor_kind  audit_actor_kind NOT NULL,
    actor_id    bigint           NOT NULL,
    actor_name  text             NOT NULL,
    action      text             NOT NULL,
    target_kind text             NOT NULL,
    target_id   text             NOT NULL,
    result      audit_result     NOT NULL,
    ip          text             NOT NULL,
    trace_id    text             NOT NULL,
    before      text             NOT NULL,
    after       text             NOT NULL,
    actor_roles text             NOT NULL DEFAULT '',
    agent       text             NOT NULL DEFAULT ''
);
CREATE INDEX audit_entries_xid ON audit_entries (xid, id);
CREATE INDEX audit_entries_at ON audit_entries (at DESC, id DESC);
CREATE INDEX audit_entries_kind ON audit_entries (target_kind, at DESC, id DESC);
CREATE INDEX audit_entries_area ON audit_entries (split_part(action, '.', 1), at DESC, id DESC);
CREATE INDEX audit_entries_result ON audit_entries (result, at DESC, id DESC) WHERE result <> 'done';
CREATE INDEX audit_entries_target ON audit_entries (target_id, at DESC, id DESC);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, at DESC, id DESC);
-- The log is narrowed by where acts came from.
CREATE INDEX audit_entries_ip ON audit_entries (ip, at DESC, id DESC) WHERE ip <> '';
CREATE INDEX audit_entries_roles ON audit_entries (at DESC, id DESC) WHERE actor_roles <> '';

CREATE TABLE audit_heads (
    batch     bigint      PRIMARY KEY,
    previous  bytea       NOT NULL,
    root      bytea       NOT NULL,
    count     bigint      NOT NULL CHECK (count > 0),
    sealed_at timestamptz NOT NULL,
    hash      bytea       NOT NULL UNIQUE,
    signature bytea       NOT NULL,
    until_xid xid8        NOT NULL,
    ids       bigint[]    NOT NULL,
    leaves    bytea       NOT NULL
);

CREATE TYPE idempotency_key_row AS (trader_id bigint, call text, key text, body_hash bytea, trace_id text, created_at timestamptz, result bytea);

-- +goose Down
DROP TABLE audit_heads, audit_entries, files, refusals, outbox, throttles, idempotency_keys;
DROP TYPE idempotency_key_row;
DROP CAST (text AS outbox_channel);
DROP CAST (text AS outbox_state);
DROP CAST (text AS audit_actor_kind);
DROP CAST (text AS audit_result);
DROP TYPE outbox_channel;
DROP TYPE outbox_state;
DROP TYPE audit_actor_kind;
DROP TYPE audit_result;
