-- Charges and stop-outs that can be proved: charges are sealed into a signed chain of their own, as fills are, and the fill of a stop-out says how the
-- account stood when it was chosen.
-- +goose Up
ALTER TABLE charges ADD COLUMN salt uuid NOT NULL DEFAULT gen_random_uuid();
CREATE INDEX charges_xid ON charges (xid, id);

CREATE TABLE charge_heads (
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

-- The money, the margin call and the valued positions that a stop-out decided on. Those of before this migration have none.
ALTER TABLE fills ADD COLUMN standing jsonb;
ALTER TABLE fills ADD CONSTRAINT fills_standing CHECK ((rule = 'stop_out') = (standing IS NOT NULL)) NOT VALID;

-- +goose Down
ALTER TABLE fills DROP COLUMN standing;
DROP TABLE charge_heads;
DROP INDEX charges_xid;
ALTER TABLE charges DROP COLUMN salt;
