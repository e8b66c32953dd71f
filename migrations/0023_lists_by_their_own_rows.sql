-- What lists are ordered and narrowed by stands in their own rows: a position tells which rule opened it.
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

-- +goose Down
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(replace(pg_get_functiondef('positions_keep'::regproc), ', n.opened_by)', ')'), ', o.opened_by)', ')');
END $$;
-- +goose StatementEnd
ALTER TYPE position_row DROP ATTRIBUTE opened_by;
ALTER TABLE positions DROP COLUMN opened_by;
