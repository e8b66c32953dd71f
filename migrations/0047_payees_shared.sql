-- Who verifies an identity reads which other traders have saved the same bank account or the same address, removed ones among them.
-- +goose Up
CREATE INDEX payees_found_iban ON payees (iban, trader_id) WHERE kind = 'bank';
CREATE INDEX payees_owner ON payees (trader_id);

-- +goose Down
DROP INDEX payees_owner, payees_found_iban;
