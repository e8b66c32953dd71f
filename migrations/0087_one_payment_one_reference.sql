-- A bank's reference is the same payment however it is typed: references are compared without case, blanks, hyphens and other marks.
-- Rows that are twins under this comparison were decided before it; all but the first keep their place outside the index, so that the rule holds from here on.
-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION reference_key(reference text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT upper(regexp_replace(reference, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\u00a0\u2000-\u206f\u2212\u3000]', '', 'g') COLLATE "C")
$$;
-- +goose StatementEnd
ALTER TABLE deposits ADD COLUMN earlier_twin boolean NOT NULL DEFAULT false;
ALTER TABLE withdrawals ADD COLUMN earlier_twin boolean NOT NULL DEFAULT false;
UPDATE deposits d SET earlier_twin = true WHERE state IN ('approved', 'credited') AND EXISTS (
    SELECT 1 FROM deposits first WHERE first.id < d.id AND first.state IN ('approved', 'credited') AND reference_key(first.bank_reference) = reference_key(d.bank_reference));
UPDATE withdrawals w SET earlier_twin = true WHERE EXISTS (SELECT 1 FROM withdrawals first WHERE first.id < w.id AND reference_key(first.payment) = reference_key(w.payment));
DROP INDEX deposits_bank_reference;
CREATE UNIQUE INDEX deposits_bank_reference ON deposits (reference_key(bank_reference)) WHERE bank_reference IS NOT NULL AND state IN ('approved', 'credited') AND NOT earlier_twin;
DROP INDEX withdrawals_payment;
CREATE UNIQUE INDEX withdrawals_payment ON withdrawals (reference_key(payment)) WHERE payment IS NOT NULL AND NOT earlier_twin;
CREATE INDEX withdrawals_found_payment ON withdrawals (reference_key(payment)) WHERE payment IS NOT NULL;

-- +goose Down
DROP INDEX withdrawals_found_payment;
DROP INDEX withdrawals_payment;
CREATE UNIQUE INDEX withdrawals_payment ON withdrawals (payment) WHERE payment IS NOT NULL;
DROP INDEX deposits_bank_reference;
CREATE UNIQUE INDEX deposits_bank_reference ON deposits (bank_reference) WHERE bank_reference IS NOT NULL AND state IN ('approved', 'credited');
ALTER TABLE withdrawals DROP COLUMN earlier_twin;
ALTER TABLE deposits DROP COLUMN earlier_twin;
DROP FUNCTION reference_key;
