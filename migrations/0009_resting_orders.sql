-- Orders that wait for a price: limit, stop and stop-limit, with their expiry, their revisions and the reason of their end.
-- +goose Up
ALTER TABLE orders
    DROP CONSTRAINT orders_type_check,
    DROP CONSTRAINT orders_status_check,
    ADD COLUMN price         bigint CHECK (price > 0),       -- at which it triggers; none for a market order
    ADD COLUMN limit_price   bigint CHECK (limit_price > 0), -- of a stop-limit order, once its stop has triggered
    ADD COLUMN time_in_force text   NOT NULL DEFAULT 'gtc' CHECK (time_in_force IN ('gtc', 'day', 'date')),
    ADD COLUMN expires_at    timestamptz,                    -- market time
    ADD COLUMN since_seq     bigint NOT NULL DEFAULT 0,      -- only a later quote of the product may trigger it
    ADD COLUMN armed_seq     bigint,                         -- the quote at which the stop of a stop-limit order triggered
    ADD COLUMN revision      int    NOT NULL DEFAULT 1,
    ADD COLUMN reason        text CHECK (reason IN ('trader', 'no_margin', 'too_many_positions', 'expired')),
    ADD COLUMN ended_at      timestamptz;
UPDATE orders SET ended_at = created_at;
ALTER TABLE orders
    ADD CONSTRAINT orders_type_check   CHECK (type IN ('market', 'limit', 'stop', 'stop_limit')),
    ADD CONSTRAINT orders_status_check CHECK (status IN ('untriggered', 'working', 'filled', 'cancelled', 'expired')),
    ADD CONSTRAINT orders_by_type      CHECK ((type = 'market') = (price IS NULL) AND (type = 'stop_limit') = (limit_price IS NOT NULL)),
    ADD CONSTRAINT orders_lifetime     CHECK ((time_in_force = 'gtc') = (expires_at IS NULL)),
    ADD CONSTRAINT orders_end          CHECK ((status IN ('untriggered', 'working')) = (ended_at IS NULL)),
    ADD CONSTRAINT orders_why          CHECK ((status IN ('cancelled', 'expired')) = (reason IS NOT NULL)),
    ADD CONSTRAINT orders_fill         CHECK (type = 'market' OR (status = 'filled') = (position_id IS NOT NULL));
CREATE INDEX orders_resting ON orders (account_id) WHERE status IN ('untriggered', 'working');

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
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER orders_keep BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION orders_keep();

-- Every wording that an order has had.
CREATE TABLE order_revisions (
    order_id      bigint      NOT NULL REFERENCES orders (id),
    revision      int         NOT NULL,
    price         bigint      NOT NULL,
    limit_price   bigint,
    stop_loss     bigint,
    take_profit   bigint,
    time_in_force text        NOT NULL,
    expires_at    timestamptz,
    since_seq     bigint      NOT NULL,
    at            timestamptz NOT NULL,
    PRIMARY KEY (order_id, revision)
);

-- Only a quote after the one that a position was opened or protected at may fire its stop loss or take profit.
ALTER TABLE positions ADD COLUMN since_seq bigint NOT NULL DEFAULT 0;

ALTER TABLE fills
    DROP CONSTRAINT fills_rule_check,
    ADD CONSTRAINT fills_rule_check CHECK (rule IN ('market', 'limit', 'stop', 'stop_limit', 'sl', 'tp', 'stop_out'));

-- +goose Down
ALTER TABLE fills
    DROP CONSTRAINT fills_rule_check,
    ADD CONSTRAINT fills_rule_check CHECK (rule IN ('market', 'sl', 'tp', 'stop_out'));
ALTER TABLE positions DROP COLUMN since_seq;
DROP TABLE order_revisions;
DROP TRIGGER orders_keep ON orders;
DROP FUNCTION orders_keep;
ALTER TABLE orders
    DROP CONSTRAINT orders_type_check, DROP CONSTRAINT orders_status_check, DROP CONSTRAINT orders_fill, DROP CONSTRAINT orders_why,
    DROP COLUMN price, DROP COLUMN limit_price, DROP COLUMN time_in_force, DROP COLUMN expires_at, DROP COLUMN since_seq, DROP COLUMN armed_seq,
    DROP COLUMN revision, DROP COLUMN reason, DROP COLUMN ended_at,
    ADD CONSTRAINT orders_type_check CHECK (type IN ('market')), ADD CONSTRAINT orders_status_check CHECK (status IN ('filled'));
