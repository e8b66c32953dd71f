-- Versions of terms are sealed into a signed chain of their own: what two people agreed on can't be said otherwise afterwards, by nobody.
-- +goose Up
ALTER TABLE product_terms
    ADD COLUMN id  bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX product_terms_xid ON product_terms (xid, id);

CREATE TABLE terms_heads (
    batch     bigint PRIMARY KEY,
    previous  bytea       NOT NULL,
    root      bytea       NOT NULL,
    count     bigint      NOT NULL CHECK (count > 0),
    sealed_at timestamptz NOT NULL,
    hash      bytea       NOT NULL UNIQUE,
    signature bytea       NOT NULL,
    until_xid xid8        NOT NULL UNIQUE,
    ids       bigint[]    NOT NULL,
    leaves    bytea       NOT NULL -- the first 8 bytes of each leaf hash in order, so that a wrong row can be named
);

-- +goose Down
DROP TABLE terms_heads;
DROP INDEX product_terms_xid;
ALTER TABLE product_terms DROP COLUMN xid, DROP COLUMN id;
