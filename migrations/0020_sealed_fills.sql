-- Fills are sealed into a signed chain of their own, so that a receipt proves the deal and not only its quote.
-- salt makes each fill's hash unguessable: hashes of neighbours stand in other traders' proofs and must tell nothing.
-- +goose Up
ALTER TABLE fills ADD COLUMN salt uuid NOT NULL DEFAULT gen_random_uuid();
CREATE INDEX fills_xid ON fills (xid, id);

CREATE TABLE fill_heads (
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

-- The banner about proofs leads to the page where the heads are published.
UPDATE banners SET link = '/proof' WHERE title = 'banner.proof.title';

-- +goose Down
UPDATE banners SET link = '/quotes' WHERE title = 'banner.proof.title';
DROP TABLE fill_heads;
DROP INDEX fills_xid;
ALTER TABLE fills DROP COLUMN salt;
