-- Orders become fills, fills open and close positions, charges hold their cost. A fill names its quote and never changes.
-- +goose Up
CREATE TYPE side AS ENUM ('buy', 'sell');
CREATE TYPE order_type AS ENUM ('limit', 'market', 'stop', 'stop_limit');
CREATE TYPE order_source AS ENUM ('system', 'user');
CREATE TYPE order_status AS ENUM ('cancelled', 'expired', 'filled', 'untriggered', 'working');
CREATE TYPE order_end_reason AS ENUM ('close_only', 'expired', 'no_margin', 'oco', 'restricted', 'too_many_positions', 'trader');
CREATE TYPE time_in_force AS ENUM ('date', 'day', 'gtc');
CREATE TYPE position_state AS ENUM ('closed', 'open');
CREATE TYPE close_reason AS ENUM ('close_by', 'manual', 'sl', 'stop_out', 'tp', 'trailing');
CREATE TYPE fill_entry AS ENUM ('close', 'open');
CREATE TYPE fill_rule AS ENUM ('close_by', 'limit', 'market', 'sl', 'stop', 'stop_limit', 'stop_out', 'tp', 'trailing');
CREATE TYPE charge_kind AS ENUM ('dividend', 'swap');
CREATE TYPE restriction_kind AS ENUM ('login', 'trade', 'withdraw');
CREATE TYPE restriction_reason AS ENUM ('legal_order', 'other', 'payment_dispute', 'requested_by_trader', 'self_frozen', 'unusual_activity', 'verification_needed');
CREATE CAST (text AS side) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS order_type) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS order_source) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS order_status) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS order_end_reason) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS time_in_force) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS position_state) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS close_reason) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS fill_entry) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS fill_rule) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS charge_kind) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS restriction_kind) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS restriction_reason) WITH INOUT AS ASSIGNMENT;

CREATE TABLE orders (
    id            bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id    bigint           NOT NULL,
    product_id    int              NOT NULL,
    type          order_type       NOT NULL,
    intent        fill_entry       NOT NULL,
    side          side             NOT NULL,
    lots          lots             NOT NULL,
    leverage      int              NOT NULL CHECK (leverage > 0),
    stop_loss     price,
    take_profit   price,
    slippage_bps  int              NOT NULL CHECK (slippage_bps >= 0),
    source        order_source     NOT NULL,
    status        order_status     NOT NULL,
    position_id   bigint,
    created_at    timestamptz      NOT NULL,
    price         price, -- at which it triggers; none for a market order
    limit_price   price, -- of a stop-limit order, once its stop has triggered
    time_in_force time_in_force    NOT NULL DEFAULT 'gtc',
    expires_at    timestamptz, -- market time
    since_seq     bigint           NOT NULL DEFAULT 0, -- only a later quote of the product may trigger it
    armed_seq     bigint, -- the quote at which the stop of a stop-limit order triggered
    revision      int              NOT NULL DEFAULT 1,
    reason        order_end_reason,
    ended_at      timestamptz,
    oco           bigint, -- the pair that ends together, named by its first order
    ended_xid     xid8, -- the transaction that cancelled or expired it, which orders_keep notes
    CONSTRAINT orders_by_type CHECK (((type = 'market') = (price IS NULL)) AND ((type = 'stop_limit') = (limit_price IS NOT NULL))),
    CONSTRAINT orders_lifetime CHECK ((time_in_force = 'gtc') = (expires_at IS NULL)),
    CONSTRAINT orders_end CHECK ((status IN ('untriggered', 'working')) = (ended_at IS NULL)),
    CONSTRAINT orders_why CHECK ((status IN ('cancelled', 'expired')) = (reason IS NOT NULL)),
    CONSTRAINT orders_fill CHECK ((type = 'market') OR ((status = 'filled') = (position_id IS NOT NULL)))
);
CREATE INDEX orders_resting ON orders (account_id) WHERE status IN ('untriggered', 'working');
CREATE INDEX orders_oco ON orders (oco) WHERE oco IS NOT NULL;
CREATE INDEX orders_ended ON orders (ended_xid, id) WHERE ended_xid IS NOT NULL;
CREATE INDEX orders_placed ON orders (account_id, created_at DESC, id DESC) WHERE type <> 'market';

-- Every wording that an order has had.
CREATE TABLE order_revisions (
    order_id      bigint        NOT NULL REFERENCES orders(id),
    revision      int           NOT NULL,
    price         price         NOT NULL,
    limit_price   price,
    stop_loss     price,
    take_profit   price,
    time_in_force time_in_force NOT NULL,
    expires_at    timestamptz,
    since_seq     bigint        NOT NULL,
    at            timestamptz   NOT NULL,
    CONSTRAINT order_revisions_pkey PRIMARY KEY (order_id, revision)
);

CREATE TABLE positions (
    id              bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id      bigint         NOT NULL,
    product_id      int            NOT NULL,
    side            side           NOT NULL,
    lots            bigint         NOT NULL CHECK (lots >= 0), -- still open
    lots_opened     lots           NOT NULL,
    open_price      price          NOT NULL,
    leverage        int            NOT NULL CHECK (leverage > 0),
    margin          money_amount   NOT NULL, -- of the open lots, unhedged, in the account's currency
    stop_loss       price,
    take_profit     price,
    commission      money_amount   NOT NULL DEFAULT 0, -- charged so far
    realised        money_change   NOT NULL DEFAULT 0,
    state           position_state NOT NULL,
    close_reason    close_reason,
    close_price     price,
    version         int            NOT NULL DEFAULT 1,
    opened_at       timestamptz    NOT NULL,
    closed_at       timestamptz,
    since_seq       bigint         NOT NULL DEFAULT 0,
    trail           bigint         CHECK (trail > 0), -- how far a trailing stop stays behind the best price since since_seq, in points
    open_value      bigint         NOT NULL CHECK (open_value >= 0), -- lots × price of what is open, summed; the open price of a netted position is its rounded mean
    swap            money_change   NOT NULL DEFAULT 0, -- charged (negative) or received so far
    dividends       money_change   NOT NULL DEFAULT 0,
    rolled_day      date           NOT NULL, -- up to which rollover both are settled
    trail_since_seq bigint         NOT NULL DEFAULT 0 CHECK (trail_since_seq >= 0), -- the best price is counted from this quote
    opened_by       fill_rule      NOT NULL, -- the rule of the first fill that opened it
    CONSTRAINT positions_check CHECK (lots_opened >= lots),
    CONSTRAINT positions_check1 CHECK ((state = 'closed') = (lots = 0)),
    CONSTRAINT positions_check2 CHECK ((state = 'closed') = (closed_at IS NOT NULL))
);
CREATE INDEX positions_open ON positions (account_id) WHERE state = 'open';
CREATE INDEX positions_closed ON positions (account_id, closed_at DESC, id DESC) WHERE state = 'closed';

CREATE TABLE fills (
    id                 bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid                xid8         NOT NULL DEFAULT pg_current_xact_id(),
    order_id           bigint       NOT NULL,
    position_id        bigint       NOT NULL,
    account_id         bigint       NOT NULL,
    product_id         int          NOT NULL,
    side               side         NOT NULL,
    entry              fill_entry   NOT NULL,
    rule               fill_rule    NOT NULL,
    lots               lots         NOT NULL,
    price              price        NOT NULL,
    quote_seq          bigint       NOT NULL,
    open_price         price, -- of the position, on a close
    limit_price        price, -- the SL or TP that fired
    leverage           int          NOT NULL,
    margin             money_amount NOT NULL, -- taken by an opening fill, released by a closing one
    commission         money_amount NOT NULL,
    profit             money_change NOT NULL,
    conversion_product int, -- the product whose mid converted, and its quote; NULL where quote currency and account currency are one
    conversion_seq     bigint,
    conversion_inverse boolean      NOT NULL DEFAULT false,
    margin_product     int, -- the same for the margin
    margin_seq         bigint,
    margin_inverse     boolean      NOT NULL DEFAULT false,
    transaction_id     bigint, -- NULL when no money moved
    equity             money_change NOT NULL, -- before the fill
    used_margin        money_amount NOT NULL, -- before the fill
    created_at         timestamptz  NOT NULL,
    at_ms              bigint       NOT NULL, -- market time
    by_position        bigint, -- the position at whose open price a close-by settles both
    best_seq           bigint, -- the quote that took a trailing stop to where it fired
    terms              int          NOT NULL,
    open_value         bigint, -- that a closing fill released
    salt               uuid         NOT NULL DEFAULT gen_random_uuid(),
    trail_since_seq    bigint, -- sealed with the fill; those of before don't tell
    snapshot           jsonb,
    CONSTRAINT fills_close_by CHECK ((rule = 'close_by') = (by_position IS NOT NULL)),
    CONSTRAINT fills_trailing CHECK ((rule = 'trailing') = (best_seq IS NOT NULL)),
    CONSTRAINT fills_order UNIQUE (order_id, entry),
    CONSTRAINT fills_open_value CHECK ((entry = 'close') = (open_value IS NOT NULL)),
    CONSTRAINT fills_trail_since CHECK ((trail_since_seq IS NULL) OR (rule = 'trailing')),
    CONSTRAINT fills_snapshot CHECK ((rule = 'stop_out') = (snapshot IS NOT NULL))
);
-- Fills are written in the order of their time, so that a summary of each block finds a report's days at next to no cost for each fill.
CREATE INDEX fills_time ON fills USING brin (created_at);
CREATE INDEX fills_position ON fills (position_id, id);
CREATE INDEX fills_xid ON fills (xid, id);
CREATE INDEX fills_account ON fills (account_id, created_at DESC, id DESC);

CREATE TABLE fill_heads (
    batch     bigint      PRIMARY KEY,
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

CREATE TABLE charges (
    id                 bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid                xid8         NOT NULL DEFAULT pg_current_xact_id(),
    kind               charge_kind  NOT NULL,
    position_id        bigint       NOT NULL REFERENCES positions(id),
    account_id         bigint       NOT NULL REFERENCES accounts(id),
    product_id         int          NOT NULL,
    terms              int          NOT NULL,
    day                date         NOT NULL, -- of the rollover, in New York
    nights             int          NOT NULL CHECK (nights >= 0),
    side               side         NOT NULL,
    lots               lots         NOT NULL,
    rate               bigint       NOT NULL, -- the swap of the side in the terms' own unit, or the dividend of one unit
    price              price, -- that a percentage is taken of
    quote_seq          bigint, -- the last quote before the rollover
    conversion_product int,
    conversion_seq     bigint,
    conversion_inverse boolean      NOT NULL DEFAULT false,
    amount             money_change NOT NULL,
    transaction_id     bigint       REFERENCES ledger_transactions(id), -- NULL when no money moved
    created_at         timestamptz  NOT NULL,
    at_ms              bigint       NOT NULL, -- market time of the rollover
    salt               uuid         NOT NULL DEFAULT gen_random_uuid(),
    CONSTRAINT charges_check CHECK ((price IS NULL) = (quote_seq IS NULL)),
    CONSTRAINT charges_position_id_kind_day_key UNIQUE (position_id, kind, day),
    CONSTRAINT charges_product_id_terms_fkey FOREIGN KEY (product_id, terms) REFERENCES product_terms(product_id, version)
);
CREATE INDEX charges_account ON charges (account_id, id DESC);
CREATE INDEX charges_position ON charges (position_id, id);
CREATE INDEX charges_xid ON charges (xid, id);

CREATE TABLE charge_heads (
    batch     bigint      PRIMARY KEY,
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

CREATE TABLE margin_calls (
    id           bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id   bigint       NOT NULL REFERENCES accounts(id),
    equity       money_change NOT NULL,
    used_margin  money_amount NOT NULL,
    created_at   timestamptz  NOT NULL,
    at_ms        bigint       NOT NULL, -- market time
    recovered_at timestamptz,
    xid          xid8         NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX margin_calls_xid ON margin_calls (xid, id);
CREATE UNIQUE INDEX margin_calls_open ON margin_calls (account_id) WHERE recovered_at IS NULL;
CREATE INDEX margin_calls_account ON margin_calls (account_id, id DESC);

CREATE TABLE trader_restrictions (
    id        bigint             GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint             NOT NULL,
    guest     boolean            GENERATED ALWAYS AS (false) STORED NOT NULL,
    kind      restriction_kind   NOT NULL,
    reason    restriction_reason NOT NULL,
    note      text               NOT NULL, -- for staff alone
    set_by    bigint             REFERENCES staff(id),
    set_at    timestamptz        NOT NULL,
    until_at  timestamptz, -- none: until somebody lifts it
    ended_at  timestamptz,
    lifted_by bigint             REFERENCES staff(id), -- none: its time was over
    lift_note text               NOT NULL DEFAULT '' CHECK (char_length(lift_note) <= 1000),
    version   int                NOT NULL DEFAULT 1,
    CONSTRAINT trader_restrictions_check CHECK (until_at > set_at),
    CONSTRAINT trader_restrictions_check1 CHECK (set_by <> lifted_by),
    CONSTRAINT trader_restrictions_check2 CHECK ((lifted_by IS NULL) = (lift_note = '')),
    CONSTRAINT trader_restrictions_check3 CHECK ((lifted_by IS NULL) OR (ended_at IS NOT NULL)),
    CONSTRAINT trader_restrictions_check4 CHECK ((ended_at IS NULL) OR (lifted_by IS NOT NULL) OR ((until_at IS NOT NULL) AND (ended_at = until_at))),
    CONSTRAINT trader_restrictions_trader_id_guest_fkey FOREIGN KEY (trader_id, guest) REFERENCES traders(id, guest),
    CONSTRAINT trader_restrictions_note_check CHECK ((char_length(note) <= 1000) AND ((note = '') = (set_by IS NULL))),
    CONSTRAINT trader_restrictions_own_check CHECK ((set_by IS NULL) = (reason = 'self_frozen')),
    CONSTRAINT trader_restrictions_frozen_check CHECK ((set_by IS NOT NULL) OR ((kind IN ('withdraw', 'login')) AND (until_at IS NULL)))
);
CREATE UNIQUE INDEX trader_restrictions_living ON trader_restrictions (trader_id, kind) WHERE ended_at IS NULL;
CREATE INDEX trader_restrictions_trader ON trader_restrictions (trader_id, id DESC);
CREATE INDEX trader_restrictions_kind ON trader_restrictions (kind, trader_id DESC) WHERE ended_at IS NULL;

CREATE TYPE order_row AS (
    id bigint, account_id bigint, product_id int, type text, intent text, side text, lots bigint, leverage int, price bigint, limit_price bigint,
    stop_loss bigint, take_profit bigint, slippage_bps int, time_in_force text, expires_at timestamptz, since_seq bigint, source text, status text,
    position_id bigint, created_at timestamptz, ended_at timestamptz
);
CREATE TYPE order_change_row AS (
    id bigint, was int, price bigint, limit_price bigint, stop_loss bigint, take_profit bigint, time_in_force text, expires_at timestamptz,
    since_seq bigint, armed_seq bigint, status text, reason text, revision int, position_id bigint, ended_at timestamptz, oco bigint
);
CREATE TYPE order_revision_row AS (
    order_id bigint, revision int, price bigint, limit_price bigint, stop_loss bigint, take_profit bigint, time_in_force text, expires_at timestamptz,
    since_seq bigint, at timestamptz
);
CREATE TYPE position_row AS (
    id bigint, account_id bigint, product_id int, side text, lots bigint, open_price bigint, open_value bigint, leverage int, margin bigint,
    stop_loss bigint, take_profit bigint, commission bigint, opened_at timestamptz, since_seq bigint, rolled_day date, opened_by text
);
CREATE TYPE position_change_row AS (
    id bigint, was int, lots bigint, margin bigint, stop_loss bigint, take_profit bigint, commission bigint, realised bigint, state text,
    close_reason text, close_price bigint, closed_at timestamptz, version int, since_seq bigint, trail bigint, lots_opened bigint, open_price bigint,
    open_value bigint, swap bigint, dividends bigint, rolled_day date, trail_since_seq bigint
);
CREATE TYPE fill_row AS (
    id bigint, order_id bigint, position_id bigint, account_id bigint, product_id int, side text, entry text, rule text, lots bigint, price bigint,
    quote_seq bigint, open_price bigint, limit_price bigint, by_position bigint, best_seq bigint, leverage int, margin bigint, commission bigint,
    profit bigint, conversion_product int, conversion_seq bigint, conversion_inverse boolean, margin_product int, margin_seq bigint,
    margin_inverse boolean, transaction_id bigint, equity bigint, used_margin bigint, created_at timestamptz, at_ms bigint, terms int,
    open_value bigint, trail_since_seq bigint, snapshot jsonb
);
CREATE TYPE charge_row AS (
    kind text, position_id bigint, account_id bigint, product_id int, terms int, day date, nights int, side text, lots bigint, rate bigint,
    price bigint, quote_seq bigint, conversion_product int, conversion_seq bigint, conversion_inverse boolean, amount bigint, transaction_id bigint,
    created_at timestamptz, at_ms bigint
);
CREATE TYPE margin_call_row AS (
    id bigint, account_id bigint, equity bigint, used_margin bigint, created_at timestamptz, at_ms bigint, recovered_at timestamptz
);
-- What an order is never changes, and an order that has ended changes no more.
-- +goose StatementBegin
CREATE FUNCTION orders_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status NOT IN ('untriggered', 'working') THEN
        RAISE EXCEPTION 'order % has ended', OLD.id USING ERRCODE = '23514';
    END IF;
    IF (NEW.account_id, NEW.product_id, NEW.type, NEW.intent, NEW.side, NEW.lots, NEW.leverage, NEW.source, NEW.created_at)
        IS DISTINCT FROM (OLD.account_id, OLD.product_id, OLD.type, OLD.intent, OLD.side, OLD.lots, OLD.leverage, OLD.source, OLD.created_at) THEN
        RAISE EXCEPTION 'order % is what it was placed as', OLD.id USING ERRCODE = '23514';
    END IF;
    NEW.ended_xid := CASE WHEN NEW.status IN ('cancelled', 'expired') THEN pg_current_xact_id() END;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER orders_keep BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_keep();

-- What opened a position is what it is: it never changes.
-- +goose StatementBegin
CREATE FUNCTION positions_keep() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin TO 'on' AS $$
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
CREATE TRIGGER positions_keep AFTER UPDATE ON positions REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION positions_keep();

-- Orders and positions are of an account to trade with.
-- +goose StatementBegin
CREATE FUNCTION account_and_product_exist() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong bigint;
BEGIN
    SELECT a.id INTO wrong FROM added a
    WHERE (SELECT o.kind = 'contract' FROM accounts o WHERE o.id = a.account_id) IS NOT TRUE OR (SELECT true FROM products p WHERE p.id = a.product_id) IS NOT TRUE LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% % has no account or no product', TG_TABLE_NAME, wrong USING ERRCODE = '23503';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER orders_exist_for AFTER INSERT ON orders REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION account_and_product_exist();
CREATE TRIGGER positions_exist_for AFTER INSERT ON positions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION account_and_product_exist();

-- +goose StatementBegin
CREATE FUNCTION fills_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong bigint; today date := now() AT TIME ZONE 'UTC';
BEGIN
    SELECT a.id INTO wrong FROM added a
    WHERE (SELECT o.account_id = a.account_id AND o.product_id = a.product_id FROM orders o WHERE o.id = a.order_id) IS NOT TRUE
       OR (SELECT p.account_id = a.account_id AND p.product_id = a.product_id FROM positions p WHERE p.id = a.position_id) IS NOT TRUE
       OR (SELECT true FROM product_terms t WHERE t.product_id = a.product_id AND t.version = a.terms) IS NOT TRUE
       OR (a.transaction_id IS NOT NULL AND (SELECT true FROM ledger_transactions t WHERE t.id = a.transaction_id) IS NOT TRUE)
       OR (a.by_position IS NOT NULL AND (SELECT p.account_id = a.account_id FROM positions p WHERE p.id = a.by_position) IS NOT TRUE)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'fill % names what is not there', wrong USING ERRCODE = '23503';
    END IF;
    -- Almost every quote is of today: the months before are opened only where one is not.
    IF EXISTS (SELECT 1 FROM added a CROSS JOIN LATERAL (VALUES (a.product_id, a.quote_seq), (a.conversion_product, a.conversion_seq), (a.margin_product, a.margin_seq), (a.product_id, a.best_seq)) n (product, seq)
               WHERE n.seq IS NOT NULL AND (SELECT true FROM tape_quotes q WHERE q.product_id = n.product AND q.seq = n.seq AND q.stored_on BETWEEN today - 1 AND today + 1 LIMIT 1) IS NOT TRUE) THEN
        SELECT a.id INTO wrong FROM added a CROSS JOIN LATERAL (VALUES (a.product_id, a.quote_seq), (a.conversion_product, a.conversion_seq), (a.margin_product, a.margin_seq), (a.product_id, a.best_seq)) n (product, seq)
        WHERE n.seq IS NOT NULL AND (SELECT true FROM tape_quotes q WHERE q.product_id = n.product AND q.seq = n.seq LIMIT 1) IS NOT TRUE LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'fill % names a quote that is not there', wrong USING ERRCODE = '23503';
        END IF;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER fills_fit AFTER INSERT ON fills REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION fills_fit();

-- A charge names quotes of the tape.
-- +goose StatementBegin
CREATE FUNCTION charges_fit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE wrong bigint;
BEGIN
    SELECT a.id INTO wrong FROM added a
    WHERE (a.quote_seq IS NOT NULL AND (SELECT true FROM tape_quotes q WHERE q.product_id = a.product_id AND q.seq = a.quote_seq) IS NOT TRUE)
       OR (a.conversion_product IS NOT NULL AND a.conversion_seq IS NOT NULL
           AND (SELECT true FROM tape_quotes q WHERE q.product_id = a.conversion_product AND q.seq = a.conversion_seq) IS NOT TRUE)
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'charge % names a quote that is not there', wrong USING ERRCODE = '23503';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER charges_fit AFTER INSERT ON charges REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION charges_fit();

-- +goose Down
DROP TABLE trader_restrictions, margin_calls, charge_heads, charges, fill_heads, fills, positions, order_revisions, orders;
DROP FUNCTION orders_keep();
DROP FUNCTION positions_keep();
DROP FUNCTION account_and_product_exist();
DROP FUNCTION fills_fit();
DROP FUNCTION charges_fit();
DROP TYPE order_row;
DROP TYPE order_change_row;
DROP TYPE order_revision_row;
DROP TYPE position_row;
DROP TYPE position_change_row;
DROP TYPE fill_row;
DROP TYPE charge_row;
DROP TYPE margin_call_row;
DROP CAST (text AS side);
DROP CAST (text AS order_type);
DROP CAST (text AS order_source);
DROP CAST (text AS order_status);
DROP CAST (text AS order_end_reason);
DROP CAST (text AS time_in_force);
DROP CAST (text AS position_state);
DROP CAST (text AS close_reason);
DROP CAST (text AS fill_entry);
DROP CAST (text AS fill_rule);
DROP CAST (text AS charge_kind);
DROP CAST (text AS restriction_kind);
DROP CAST (text AS restriction_reason);
DROP TYPE side;
DROP TYPE order_type;
DROP TYPE order_source;
DROP TYPE order_status;
DROP TYPE order_end_reason;
DROP TYPE time_in_force;
DROP TYPE position_state;
DROP TYPE close_reason;
DROP TYPE fill_entry;
DROP TYPE fill_rule;
DROP TYPE charge_kind;
DROP TYPE restriction_kind;
DROP TYPE restriction_reason;
