-- Staff find a trader by an address that coins come to, and by the transaction that they came in.
-- +goose Up
CREATE INDEX deposit_addresses_found ON deposit_addresses (address, trader_id DESC) WHERE address <> '';
CREATE INDEX deposits_found ON deposits (tx_hash, trader_id DESC) WHERE tx_hash <> '';

-- +goose Down
DROP INDEX deposits_found, deposit_addresses_found;
