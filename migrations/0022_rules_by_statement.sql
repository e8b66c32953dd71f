-- The rules between rows of the hot tables are kept once a statement for all of its rows, instead of once a row: what refers must find what it names, as a
-- foreign key demands it, and fit it. Nothing that is named can be deleted by the server's role, so finding it is enough: it needs no lock on it.
-- +goose Up
DROP TRIGGER ledger_transaction_balances ON ledger_transactions;
DROP FUNCTION ledger_transaction_balances;
ALTER TABLE postings DROP CONSTRAINT postings_transaction_id_xid_book_fkey, DROP CONSTRAINT postings_account_id_book_currency_fkey;
ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_id_xid_book_key;
ALTER TABLE accounts DROP CONSTRAINT accounts_id_book_currency_key;

-- A posting joins a transaction only inside the database transaction that made it, and never crosses books or currencies; what one statement adds to a
-- transaction sums to zero in each currency.
-- +goose StatementBegin
CREATE FUNCTION postings_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong record;
BEGIN
    SELECT a.transaction_id INTO wrong FROM added a
    WHERE (SELECT t.xid = a.xid AND t.xid = pg_current_xact_id() AND t.book = a.book FROM ledger_transactions t WHERE t.id = a.transaction_id) IS NOT TRUE LIMIT 1;
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
CREATE TRIGGER postings_fit AFTER INSERT ON postings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION postings_fit();

-- A transaction comes with its postings, by one statement.
-- +goose StatementBegin
CREATE FUNCTION ledger_transactions_have_postings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong bigint;
BEGIN
    SELECT a.id INTO wrong FROM added a WHERE (SELECT true FROM postings p WHERE p.transaction_id = a.id LIMIT 1) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger transaction % has no postings', wrong USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER ledger_transactions_have_postings AFTER INSERT ON ledger_transactions REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_transactions_have_postings();

-- Orders and positions are of an account and a product that there are.
ALTER TABLE orders DROP CONSTRAINT orders_account_id_fkey, DROP CONSTRAINT orders_product_id_fkey;
ALTER TABLE positions DROP CONSTRAINT positions_account_id_fkey, DROP CONSTRAINT positions_product_id_fkey;
-- +goose StatementBegin
CREATE FUNCTION account_and_product_exist() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong bigint;
BEGIN
    SELECT a.id INTO wrong FROM added a
    WHERE (SELECT o.kind <> 'house' FROM accounts o WHERE o.id = a.account_id) IS NOT TRUE OR (SELECT true FROM products p WHERE p.id = a.product_id) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% % has no account or no product', TG_TABLE_NAME, wrong USING ERRCODE = '23503';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER orders_exist_for AFTER INSERT ON orders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION account_and_product_exist();
CREATE TRIGGER positions_exist_for AFTER INSERT ON positions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION account_and_product_exist();

-- A fill names its order, its position, its money, its terms and its quotes. They are there, and of the same account and product.
ALTER TABLE fills DROP CONSTRAINT fills_order_id_fkey, DROP CONSTRAINT fills_position_id_fkey, DROP CONSTRAINT fills_account_id_fkey,
    DROP CONSTRAINT fills_transaction_id_fkey, DROP CONSTRAINT fills_product_id_quote_seq_fkey, DROP CONSTRAINT fills_conversion_product_conversion_seq_fkey,
    DROP CONSTRAINT fills_margin_product_margin_seq_fkey, DROP CONSTRAINT fills_by_position_fkey, DROP CONSTRAINT fills_product_id_best_seq_fkey,
    DROP CONSTRAINT fills_product_id_terms_fkey;
-- +goose StatementBegin
CREATE FUNCTION fills_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong bigint;
BEGIN
    SELECT a.id INTO wrong FROM added a
    WHERE (SELECT o.account_id = a.account_id AND o.product_id = a.product_id FROM orders o WHERE o.id = a.order_id) IS NOT TRUE
       OR (SELECT p.account_id = a.account_id AND p.product_id = a.product_id FROM positions p WHERE p.id = a.position_id) IS NOT TRUE
       OR (SELECT true FROM tape_quotes q WHERE q.product_id = a.product_id AND q.seq = a.quote_seq) IS NOT TRUE
       OR (SELECT true FROM product_terms t WHERE t.product_id = a.product_id AND t.version = a.terms) IS NOT TRUE
       OR (a.transaction_id IS NOT NULL AND (SELECT true FROM ledger_transactions t WHERE t.id = a.transaction_id) IS NOT TRUE)
       OR (a.conversion_seq IS NOT NULL AND (SELECT true FROM tape_quotes q WHERE q.product_id = a.conversion_product AND q.seq = a.conversion_seq) IS NOT TRUE)
       OR (a.margin_seq IS NOT NULL AND (SELECT true FROM tape_quotes q WHERE q.product_id = a.margin_product AND q.seq = a.margin_seq) IS NOT TRUE)
       OR (a.best_seq IS NOT NULL AND (SELECT true FROM tape_quotes q WHERE q.product_id = a.product_id AND q.seq = a.best_seq) IS NOT TRUE)
       OR (a.by_position IS NOT NULL AND (SELECT p.account_id = a.account_id FROM positions p WHERE p.id = a.by_position) IS NOT TRUE)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'fill % names what is not there', wrong USING ERRCODE = '23503';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER fills_fit AFTER INSERT ON fills REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION fills_fit();

-- What a position is never changes, a closed one changes no more, and its lots, prices and sums change only behind a fill of it, swaps and dividends behind
-- a charge, in the same transaction.
DROP TRIGGER positions_keep ON positions;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION positions_keep() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on AS $$
DECLARE wrong record;
BEGIN
    SELECT id, what INTO wrong FROM (
        SELECT coalesce(o.id, n.id) AS id,
               CASE WHEN o.state = 'closed' THEN 'is closed'
                    WHEN (n.id, n.account_id, n.product_id, n.opened_at) IS DISTINCT FROM (o.id, o.account_id, o.product_id, o.opened_at) THEN 'is what it was opened as'
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
CREATE TRIGGER positions_keep AFTER UPDATE ON positions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION positions_keep();

-- The money of an account changes only behind a posting to it, in the same transaction.
DROP TRIGGER accounts_keep ON accounts;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION accounts_keep() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on AS $$
DECLARE wrong bigint;
BEGIN
    SELECT o.id INTO wrong FROM before o FULL JOIN after n ON n.id = o.id
    WHERE (n.id, n.cash, n.bonus, n.deficit) IS DISTINCT FROM (o.id, o.cash, o.bonus, o.deficit)
      AND (SELECT xid FROM postings WHERE account_id = o.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM pg_current_xact_id() LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'account % changes by postings alone', wrong USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER accounts_keep AFTER UPDATE ON accounts REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION accounts_keep();

-- +goose Down
DROP TRIGGER accounts_keep ON accounts;
DROP TRIGGER positions_keep ON positions;
DROP TRIGGER fills_fit ON fills;
DROP TRIGGER positions_exist_for ON positions;
DROP TRIGGER orders_exist_for ON orders;
DROP TRIGGER ledger_transactions_have_postings ON ledger_transactions;
DROP TRIGGER postings_fit ON postings;
DROP FUNCTION accounts_keep, positions_keep, fills_fit, account_and_product_exist, ledger_transactions_have_postings, postings_fit;
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
ALTER TABLE fills ADD FOREIGN KEY (order_id) REFERENCES orders (id), ADD FOREIGN KEY (position_id) REFERENCES positions (id),
    ADD FOREIGN KEY (account_id) REFERENCES accounts (id), ADD FOREIGN KEY (transaction_id) REFERENCES ledger_transactions (id),
    ADD FOREIGN KEY (product_id, quote_seq) REFERENCES tape_quotes (product_id, seq),
    ADD FOREIGN KEY (conversion_product, conversion_seq) REFERENCES tape_quotes (product_id, seq),
    ADD FOREIGN KEY (margin_product, margin_seq) REFERENCES tape_quotes (product_id, seq), ADD FOREIGN KEY (by_position) REFERENCES positions (id),
    ADD FOREIGN KEY (product_id, best_seq) REFERENCES tape_quotes (product_id, seq),
    ADD FOREIGN KEY (product_id, terms) REFERENCES product_terms (product_id, version);
ALTER TABLE positions ADD FOREIGN KEY (account_id) REFERENCES accounts (id), ADD FOREIGN KEY (product_id) REFERENCES products (id);
ALTER TABLE orders ADD FOREIGN KEY (account_id) REFERENCES accounts (id), ADD FOREIGN KEY (product_id) REFERENCES products (id);
ALTER TABLE accounts ADD UNIQUE (id, book, currency);
ALTER TABLE ledger_transactions ADD UNIQUE (id, xid, book);
ALTER TABLE postings ADD FOREIGN KEY (transaction_id, xid, book) REFERENCES ledger_transactions (id, xid, book),
    ADD FOREIGN KEY (account_id, book, currency) REFERENCES accounts (id, book, currency);
-- +goose StatementBegin
CREATE FUNCTION ledger_transaction_balances() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong record;
BEGIN
    SELECT currency, sum(amount) AS total INTO wrong
    FROM postings WHERE transaction_id = NEW.id GROUP BY currency HAVING sum(amount) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'ledger transaction % does not balance: % %', NEW.id, wrong.total, wrong.currency USING ERRCODE = '23514';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM postings WHERE transaction_id = NEW.id) THEN
        RAISE EXCEPTION 'ledger transaction % has no postings', NEW.id USING ERRCODE = '23514';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER ledger_transaction_balances AFTER INSERT OR UPDATE ON ledger_transactions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transaction_balances();
