-- What a provider said last stands beside the deposit that it is about, and what needs a person then waits in the desk's queue beside the bank transfers and the coins.
-- +goose Up
ALTER TABLE deposits
    ADD COLUMN said_state    text NOT NULL DEFAULT '', -- the state, the amount that came and the currency, in the provider's words
    ADD COLUMN said_amount   text NOT NULL DEFAULT '',
    ADD COLUMN said_currency text NOT NULL DEFAULT '',
    ADD CHECK (gone_at IS NULL OR transaction_id IS NOT NULL);

DROP INDEX deposits_queue, deposits_waiting;
CREATE INDEX deposits_queue ON deposits (proof_at, id)
    WHERE state IN ('proof_submitted', 'in_review', 'approved', 'more_info', 'provider_unknown', 'appeal', 'aml_hold', 'below_min', 'wrong_asset', 'refunding')
        OR gone_at IS NOT NULL AND reversal_id IS NULL;
CREATE INDEX deposits_waiting ON deposits (proof_at, id)
    WHERE state IN ('proof_submitted', 'in_review', 'approved', 'provider_unknown', 'appeal', 'aml_hold', 'below_min', 'wrong_asset', 'refunding')
        OR gone_at IS NOT NULL AND reversal_id IS NULL;
CREATE INDEX deposits_late ON deposits (asked_at NULLS FIRST, id) WHERE state = 'expired' AND provider <> '';

-- +goose Down
DROP INDEX deposits_late, deposits_waiting, deposits_queue;
CREATE INDEX deposits_queue ON deposits (proof_at, id)
    WHERE state IN ('proof_submitted', 'in_review', 'approved', 'more_info', 'aml_hold', 'below_min', 'wrong_asset', 'refunding') OR gone_at IS NOT NULL AND reversal_id IS NULL;
CREATE INDEX deposits_waiting ON deposits (proof_at, id)
    WHERE state IN ('proof_submitted', 'in_review', 'approved', 'aml_hold', 'below_min', 'wrong_asset', 'refunding') OR gone_at IS NOT NULL AND reversal_id IS NULL;
ALTER TABLE deposits DROP COLUMN said_state, DROP COLUMN said_amount, DROP COLUMN said_currency;
