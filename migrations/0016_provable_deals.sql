-- Deals that can be proved: fills are sealed into a signed chain of their own, positions change by fills alone and money by postings alone.
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

-- What a position is never changes, a closed one changes no more, and its lots, prices and sums change only together with a fill of it. Judged at the
-- end of the transaction, so that the fill may come before or after.
-- +goose StatementBegin
CREATE FUNCTION positions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state = 'closed' THEN
        RAISE EXCEPTION 'position % is closed', OLD.id USING ERRCODE = '23514';
    END IF;
    IF (NEW.id, NEW.account_id, NEW.product_id, NEW.opened_at) IS DISTINCT FROM (OLD.id, OLD.account_id, OLD.product_id, OLD.opened_at) THEN
        RAISE EXCEPTION 'position % is what it was opened as', OLD.id USING ERRCODE = '23514';
    END IF;
    IF (NEW.side, NEW.lots, NEW.lots_opened, NEW.open_price, NEW.open_value, NEW.leverage, NEW.margin, NEW.commission, NEW.realised, NEW.state, NEW.close_price)
        IS DISTINCT FROM (OLD.side, OLD.lots, OLD.lots_opened, OLD.open_price, OLD.open_value, OLD.leverage, OLD.margin, OLD.commission, OLD.realised, OLD.state, OLD.close_price)
        AND (SELECT xid FROM fills WHERE position_id = OLD.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id() THEN
        RAISE EXCEPTION 'position % changes by fills alone', OLD.id USING ERRCODE = '23514';
    END IF;
    IF (NEW.swap, NEW.dividends) IS DISTINCT FROM (OLD.swap, OLD.dividends)
        AND (SELECT xid FROM charges WHERE position_id = OLD.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id() THEN
        RAISE EXCEPTION 'position % is charged by charges alone', OLD.id USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER positions_keep AFTER UPDATE ON positions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION positions_keep();

-- The money of an account changes only together with a posting to it.
-- +goose StatementBegin
CREATE FUNCTION accounts_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT xid FROM postings WHERE account_id = OLD.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id() THEN
        RAISE EXCEPTION 'account % changes by postings alone', OLD.id USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER accounts_keep AFTER UPDATE ON accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN ((NEW.cash, NEW.bonus, NEW.deficit) IS DISTINCT FROM (OLD.cash, OLD.bonus, OLD.deficit)) EXECUTE FUNCTION accounts_keep();

-- The banner about proofs leads to the page where the heads are published.
UPDATE banners SET link = '/proof' WHERE title = 'banner.proof.title';

-- +goose Down
UPDATE banners SET link = '/quotes' WHERE title = 'banner.proof.title';
DROP TRIGGER accounts_keep ON accounts;
DROP FUNCTION accounts_keep;
DROP TRIGGER positions_keep ON positions;
DROP FUNCTION positions_keep;
DROP TABLE fill_heads;
DROP INDEX fills_xid;
ALTER TABLE fills DROP COLUMN salt;
