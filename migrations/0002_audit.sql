-- Who did what: rows are appended in the transaction of the act and sealed into a signed chain afterwards.
-- xid is the transaction that wrote the row: every row below the oldest running transaction is final, so a seal never misses a late one.
-- +goose Up
CREATE TABLE audit_entries (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid         xid8        NOT NULL DEFAULT pg_current_xact_id(),
    at          timestamptz NOT NULL,
    actor_kind  text        NOT NULL CHECK (actor_kind IN ('trader', 'staff', 'system')),
    actor_id    bigint      NOT NULL,
    actor_name  text        NOT NULL,
    action      text        NOT NULL,
    target_kind text        NOT NULL,
    target_id   text        NOT NULL,
    result      text        NOT NULL CHECK (result IN ('done', 'denied', 'failed')),
    ip          text        NOT NULL,
    trace_id    text        NOT NULL,
    before      text        NOT NULL,
    after       text        NOT NULL
);
CREATE INDEX audit_entries_xid ON audit_entries (xid, id);
CREATE INDEX audit_entries_target ON audit_entries (target_kind, target_id, id DESC);
CREATE INDEX audit_entries_actor ON audit_entries (actor_kind, actor_id, id DESC);

CREATE TABLE audit_heads (
    batch     bigint PRIMARY KEY,
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

-- +goose Down
DROP TABLE audit_heads, audit_entries;
