-- A deposit has a fee: its rate as it was when the deposit began (percent in 10^-6), and what was kept of the credit.
-- +goose Up
ALTER TABLE deposits ADD COLUMN fee_rate bigint NOT NULL DEFAULT 0 CHECK (fee_rate BETWEEN 0 AND 100000000),
    ADD COLUMN fee bigint NOT NULL DEFAULT 0, ADD CHECK (fee BETWEEN 0 AND coalesce(received, 0));

-- +goose Down
ALTER TABLE deposits DROP COLUMN fee, DROP COLUMN fee_rate;
