-- Netting accounts: one position a product, at the exact mean of what opened it; an order against it reduces it, and then turns it round.
-- +goose Up
ALTER TABLE accounts ADD COLUMN netting boolean NOT NULL DEFAULT false;
ALTER TABLE positions ADD COLUMN open_value bigint; -- lots × price of what is open, summed; the open price of a netted position is its rounded mean
UPDATE positions SET open_value = lots * open_price;
ALTER TABLE positions ALTER COLUMN open_value SET NOT NULL, ADD CHECK (open_value >= 0);
ALTER TABLE fills
    ADD COLUMN open_value bigint, -- that a closing fill released
    DROP CONSTRAINT fills_order_id_key,
    ADD CONSTRAINT fills_order UNIQUE (order_id, entry); -- an order that turns a position round closes and opens
UPDATE fills SET open_value = lots * open_price WHERE entry = 'close';
ALTER TABLE fills ADD CONSTRAINT fills_open_value CHECK ((entry = 'close') = (open_value IS NOT NULL));

-- An order of a product that has become close-only ends with that reason.
ALTER TABLE orders
    DROP CONSTRAINT orders_reason_check,
    ADD CONSTRAINT orders_reason_check CHECK (reason IN ('trader', 'no_margin', 'too_many_positions', 'expired', 'oco', 'close_only'));

-- How positions are kept changes only while there are none, and no orders that would make some.
-- +goose StatementBegin
CREATE FUNCTION accounts_keep_netting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM positions WHERE account_id = NEW.id AND state = 'open')
       OR EXISTS (SELECT 1 FROM orders WHERE account_id = NEW.id AND status IN ('untriggered', 'working')) THEN
        RAISE EXCEPTION 'account % is not flat', NEW.id USING ERRCODE = '23514';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER accounts_keep_netting BEFORE UPDATE OF netting ON accounts FOR EACH ROW WHEN (OLD.netting <> NEW.netting)
    EXECUTE FUNCTION accounts_keep_netting();

-- +goose Down
DROP TRIGGER accounts_keep_netting ON accounts;
DROP FUNCTION accounts_keep_netting;
ALTER TABLE accounts DROP COLUMN netting;
ALTER TABLE orders
    DROP CONSTRAINT orders_reason_check,
    ADD CONSTRAINT orders_reason_check CHECK (reason IN ('trader', 'no_margin', 'too_many_positions', 'expired', 'oco'));
ALTER TABLE positions DROP COLUMN open_value;
ALTER TABLE fills DROP COLUMN open_value, DROP CONSTRAINT fills_order, ADD CONSTRAINT fills_order_id_key UNIQUE (order_id);
