-- How many confirmations of its network the custodian of a channel waits for, as traders read it before they send coins; 0 where that is not known.
-- +goose Up
ALTER TABLE pay_channels ADD COLUMN confirmations int NOT NULL DEFAULT 0 CHECK (confirmations >= 0 AND (kind = 'standard' OR confirmations = 0));

-- +goose Down
ALTER TABLE pay_channels DROP COLUMN confirmations;
