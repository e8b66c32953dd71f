-- Staff find a trader by an address that money may go to, as quickly among a million payees as among a thousand. A removed one still says whose it was.
-- +goose Up
CREATE INDEX payees_found ON payees (address, trader_id DESC) WHERE kind = 'address';

-- +goose Down
DROP INDEX payees_found;
