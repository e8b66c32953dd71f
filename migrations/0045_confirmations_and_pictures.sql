-- How many confirmations of its network the custodian of a channel waits for, as traders read it before they send coins; 0 where that is not known. And the
-- pictures of a trader are found by their day, of which each has only so many.
-- +goose Up
ALTER TABLE pay_channels ADD COLUMN confirmations int NOT NULL DEFAULT 0 CHECK (confirmations >= 0 AND (kind = 'standard' OR confirmations = 0));
CREATE INDEX files_trader ON files (trader_id, created_at);

-- +goose Down
DROP INDEX files_trader;
ALTER TABLE pay_channels DROP COLUMN confirmations;
