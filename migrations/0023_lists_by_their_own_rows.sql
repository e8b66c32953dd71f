-- What lists are ordered and narrowed by stands in their own rows: a position tells which rule opened it, an entry of the ledger when it was made.
-- +goose Up
ALTER TABLE positions ADD COLUMN opened_by text; -- the rule of the first fill that opened it
ALTER TABLE positions DISABLE TRIGGER positions_keep; -- closed ones learn it too, and change in nothing else
UPDATE positions p SET opened_by = (SELECT rule FROM fills WHERE position_id = p.id AND entry = 'open' ORDER BY id LIMIT 1);
ALTER TABLE positions ENABLE TRIGGER positions_keep;
ALTER TABLE positions ALTER COLUMN opened_by SET NOT NULL;
ALTER TYPE position_row ADD ATTRIBUTE opened_by text;

-- What opened a position is what it is: it never changes.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION positions_keep() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on AS $$
DECLARE wrong record;
BEGIN
    SELECT id, what INTO wrong FROM (
        SELECT coalesce(o.id, n.id) AS id,
               CASE WHEN o.state = 'closed' THEN 'is closed'
                    WHEN (n.id, n.account_id, n.product_id, n.opened_at, n.opened_by) IS DISTINCT FROM (o.id, o.account_id, o.product_id, o.opened_at, o.opened_by) THEN 'is what it was opened as'
                    WHEN (n.side, n.lots, n.lots_opened, n.open_price, n.open_value, n.leverage, n.margin, n.commission, n.realised, n.state, n.close_price)
                         IS DISTINCT FROM (o.side, o.lots, o.lots_opened, o.open_price, o.open_value, o.leverage, o.margin, o.commission, o.realised, o.state, o.close_price)
                         AND (SELECT xid FROM fills WHERE position_id = o.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id() THEN 'changes by fills alone'
                    WHEN (n.swap, n.dividends) IS DISTINCT FROM (o.swap, o.dividends)
                         AND (SELECT xid FROM charges WHERE position_id = o.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id() THEN 'is charged by charges alone'
               END AS what
        FROM before o FULL JOIN after n ON n.id = o.id
    ) changes WHERE what IS NOT NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'position % %', wrong.id, wrong.what USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- An entry has the moment of its transaction. Two servers' clocks differ, so that the order of moments is not quite that of ids.
DROP INDEX postings_account, postings_kind;
ALTER TABLE postings ADD COLUMN created_at timestamptz;
UPDATE postings p SET created_at = t.created_at FROM ledger_transactions t WHERE t.id = p.transaction_id;
ALTER TABLE postings ALTER COLUMN created_at SET NOT NULL;
CREATE INDEX postings_account ON postings (account_id, created_at DESC, id DESC);
CREATE INDEX postings_kind ON postings (account_id, kind, created_at DESC, id DESC) WHERE kind IS NOT NULL;
ALTER TYPE posting_row ADD ATTRIBUTE created_at timestamptz;

-- A posting has the book and the moment of its transaction.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION postings_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong record;
BEGIN
    SELECT a.transaction_id INTO wrong FROM added a
    WHERE (SELECT t.xid = a.xid AND t.xid = pg_current_xact_id() AND t.book = a.book AND t.created_at = a.created_at FROM ledger_transactions t WHERE t.id = a.transaction_id) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'a posting is not of the present transaction %', wrong.transaction_id USING ERRCODE = '23503';
    END IF;
    SELECT a.account_id INTO wrong FROM added a
    WHERE (SELECT o.book = a.book AND o.currency = a.currency FROM accounts o WHERE o.id = a.account_id) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'a posting does not fit account %', wrong.account_id USING ERRCODE = '23503';
    END IF;
    SELECT transaction_id, currency, sum(amount) AS total INTO wrong FROM added GROUP BY transaction_id, currency HAVING sum(amount) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger transaction % does not balance: % %', wrong.transaction_id, wrong.total, wrong.currency USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- What is posted now is the newest of its account but for those clocks: it is looked for from the newest back, along the index, which needs no sorting.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION accounts_keep() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on SET enable_sort = off AS $$
DECLARE wrong bigint;
BEGIN
    SELECT o.id INTO wrong FROM before o FULL JOIN after n ON n.id = o.id
    WHERE (n.id, n.cash, n.bonus, n.deficit) IS DISTINCT FROM (o.id, o.cash, o.bonus, o.deficit)
      AND (SELECT true FROM postings WHERE account_id = o.id AND xid = pg_current_xact_id() ORDER BY created_at DESC, id DESC LIMIT 1) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'account % changes by postings alone', wrong USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(replace(pg_get_functiondef('positions_keep'::regproc), ', n.opened_by)', ')'), ', o.opened_by)', ')');
    EXECUTE replace(pg_get_functiondef('postings_fit'::regproc), ' AND t.created_at = a.created_at', '');
    EXECUTE replace(pg_get_functiondef('accounts_keep'::regproc),
        '(SELECT true FROM postings WHERE account_id = o.id AND xid = pg_current_xact_id() ORDER BY created_at DESC, id DESC LIMIT 1) IS NOT TRUE',
        '(SELECT xid FROM postings WHERE account_id = o.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id()');
    ALTER FUNCTION accounts_keep RESET enable_sort;
END $$;
-- +goose StatementEnd
ALTER TYPE position_row DROP ATTRIBUTE opened_by;
ALTER TABLE positions DROP COLUMN opened_by;
ALTER TYPE posting_row DROP ATTRIBUTE created_at;
ALTER TABLE postings DROP COLUMN created_at; -- its indexes go with it
CREATE INDEX postings_account ON postings (account_id, id DESC);
CREATE INDEX postings_kind ON postings (account_id, kind, id DESC) WHERE kind IS NOT NULL;
