-- Many commands are decided in one transaction and written by one statement a table: its rows come as an array of these types.
-- +goose Up
CREATE TYPE order_row AS (
    id bigint, account_id bigint, product_id int, type text, intent text, side text, lots bigint, leverage int, price bigint, limit_price bigint, stop_loss bigint,
    take_profit bigint, slippage_bps int, time_in_force text, expires_at timestamptz, since_seq bigint, source text, status text, position_id bigint,
    created_at timestamptz, ended_at timestamptz);
CREATE TYPE order_change_row AS (
    id bigint, was int, price bigint, limit_price bigint, stop_loss bigint, take_profit bigint, time_in_force text, expires_at timestamptz, since_seq bigint,
    armed_seq bigint, status text, reason text, revision int, position_id bigint, ended_at timestamptz, oco bigint);
CREATE TYPE order_revision_row AS (
    order_id bigint, revision int, price bigint, limit_price bigint, stop_loss bigint, take_profit bigint, time_in_force text, expires_at timestamptz,
    since_seq bigint, at timestamptz);
CREATE TYPE position_row AS (
    id bigint, account_id bigint, product_id int, side text, lots bigint, open_price bigint, open_value bigint, leverage int, margin bigint, stop_loss bigint,
    take_profit bigint, commission bigint, opened_at timestamptz, since_seq bigint, rolled_day date);
CREATE TYPE position_change_row AS (
    id bigint, was int, lots bigint, margin bigint, stop_loss bigint, take_profit bigint, commission bigint, realised bigint, state text, close_reason text,
    close_price bigint, closed_at timestamptz, version int, since_seq bigint, trail bigint, lots_opened bigint, open_price bigint, open_value bigint, swap bigint,
    dividends bigint, rolled_day date, trail_since_seq bigint);
CREATE TYPE fill_row AS (
    id bigint, order_id bigint, position_id bigint, account_id bigint, product_id int, side text, entry text, rule text, lots bigint, price bigint,
    quote_seq bigint, open_price bigint, limit_price bigint, by_position bigint, best_seq bigint, leverage int, margin bigint, commission bigint, profit bigint,
    conversion_product int, conversion_seq bigint, conversion_inverse boolean, margin_product int, margin_seq bigint, margin_inverse boolean,
    transaction_id bigint, equity bigint, used_margin bigint, created_at timestamptz, at_ms bigint, terms int, open_value bigint, trail_since_seq bigint,
    standing jsonb);
CREATE TYPE charge_row AS (
    kind text, position_id bigint, account_id bigint, product_id int, terms int, day date, nights int, side text, lots bigint, rate bigint, price bigint,
    quote_seq bigint, conversion_product int, conversion_seq bigint, conversion_inverse boolean, amount bigint, transaction_id bigint, created_at timestamptz,
    at_ms bigint);
CREATE TYPE margin_call_row AS (
    id bigint, account_id bigint, equity bigint, used_margin bigint, created_at timestamptz, at_ms bigint, recovered_at timestamptz);
CREATE TYPE ledger_transaction_row AS (id bigint, kind text, key text, cause text, book text, created_at timestamptz);
CREATE TYPE posting_row AS (transaction_id bigint, account_id bigint, bucket text, book text, currency text, amount bigint, kind text);
CREATE TYPE account_row AS (id bigint, cash bigint, bonus bigint, deficit bigint, was bigint, version bigint, netting boolean);
CREATE TYPE answer_row AS (trader_id bigint, call text, key text, body_hash bytea, answer bytea);

-- A statement that must meet as many rows as it names, or find a number that is still the same, says so by this: anything else ends the transaction.
-- +goose StatementBegin
CREATE FUNCTION must_be(there bigint, wanted bigint, code text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF there IS DISTINCT FROM wanted THEN
        RAISE EXCEPTION '% where % must be', there, wanted USING ERRCODE = code;
    END IF;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION must_be;
DROP TYPE order_row, order_change_row, order_revision_row, position_row, position_change_row, fill_row, charge_row, margin_call_row, ledger_transaction_row,
    posting_row, account_row, answer_row;
