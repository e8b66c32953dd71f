-- Positions that are settled against each other, orders that end together, and stops that follow the price.
-- +goose Up
ALTER TABLE fills
    DROP CONSTRAINT fills_rule_check,
    ADD CONSTRAINT fills_rule_check CHECK (rule IN ('market', 'limit', 'stop', 'stop_limit', 'sl', 'tp', 'trailing', 'stop_out', 'close_by')),
    ADD COLUMN by_position bigint REFERENCES positions (id), -- the position at whose open price a close-by settles both
    ADD COLUMN best_seq    bigint,                           -- the quote that took a trailing stop to where it fired
    ADD CONSTRAINT fills_close_by CHECK ((rule = 'close_by') = (by_position IS NOT NULL)),
    ADD CONSTRAINT fills_trailing CHECK ((rule = 'trailing') = (best_seq IS NOT NULL)),
    ADD FOREIGN KEY (product_id, best_seq) REFERENCES tape_quotes (product_id, seq);
ALTER TABLE positions
    DROP CONSTRAINT positions_close_reason_check,
    ADD CONSTRAINT positions_close_reason_check CHECK (close_reason IN ('manual', 'sl', 'tp', 'trailing', 'stop_out', 'close_by')),
    ADD COLUMN trail bigint CHECK (trail > 0); -- how far a trailing stop stays behind the best price since since_seq, in points
ALTER TABLE orders
    DROP CONSTRAINT orders_reason_check,
    ADD CONSTRAINT orders_reason_check CHECK (reason IN ('trader', 'no_margin', 'too_many_positions', 'expired', 'oco')),
    ADD COLUMN oco bigint; -- the pair that ends together, named by its first order
CREATE INDEX orders_oco ON orders (oco) WHERE oco IS NOT NULL;

-- +goose Down
DROP INDEX orders_oco;
ALTER TABLE orders
    DROP COLUMN oco, DROP CONSTRAINT orders_reason_check,
    ADD CONSTRAINT orders_reason_check CHECK (reason IN ('trader', 'no_margin', 'too_many_positions', 'expired'));
ALTER TABLE positions
    DROP COLUMN trail, DROP CONSTRAINT positions_close_reason_check,
    ADD CONSTRAINT positions_close_reason_check CHECK (close_reason IN ('manual', 'sl', 'tp', 'stop_out'));
ALTER TABLE fills
    DROP COLUMN by_position, DROP COLUMN best_seq, DROP CONSTRAINT fills_rule_check,
    ADD CONSTRAINT fills_rule_check CHECK (rule IN ('market', 'limit', 'stop', 'stop_limit', 'sl', 'tp', 'stop_out'));
