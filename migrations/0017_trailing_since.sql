-- A trailing stop has a beginning of its own: a stop loss or take profit that is saved beside it does not move it.
-- +goose Up
ALTER TABLE positions ADD COLUMN trail_since_seq bigint NOT NULL DEFAULT 0 CHECK (trail_since_seq >= 0); -- the best price is counted from this quote
ALTER TABLE positions DISABLE TRIGGER positions_keep; -- closed ones learn it too, and change in nothing else
UPDATE positions SET trail_since_seq = since_seq WHERE trail IS NOT NULL;
ALTER TABLE positions ENABLE TRIGGER positions_keep;
ALTER TABLE fills
    ADD COLUMN trail_since_seq bigint, -- sealed with the fill; those of before don't tell
    ADD CONSTRAINT fills_trail_since CHECK (trail_since_seq IS NULL OR rule = 'trailing');

-- +goose Down
ALTER TABLE fills DROP COLUMN trail_since_seq;
ALTER TABLE positions DROP COLUMN trail_since_seq;
