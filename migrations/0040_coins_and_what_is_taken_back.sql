-- Coins come to addresses of their own, and a deposit may be taken back after it was credited: what then is missing is owed for good, apart from the deficit that a
-- flat account is forgiven.
-- +goose Up
ALTER TABLE accounts
    ADD COLUMN owed bigint NOT NULL DEFAULT 0 CHECK (owed <= 0),
    ADD CHECK (kind <> 'house' OR owed = 0);
-- What was allowed before is allowed now: the rows that are there need no look.
ALTER TABLE postings
    DROP CONSTRAINT postings_bucket_check,
    ADD CONSTRAINT postings_bucket_check CHECK (bucket IN ('cash', 'bonus', 'deficit', 'owed', 'house')) NOT VALID;
ALTER TYPE account_row ADD ATTRIBUTE owed bigint;
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(replace(pg_get_functiondef('accounts_keep'::regproc), ', n.deficit)', ', n.deficit, n.owed)'), ', o.deficit)', ', o.deficit, o.owed)');
END $$;
-- +goose StatementEnd

ALTER TABLE deposit_addresses ADD COLUMN wanted_at timestamptz NOT NULL DEFAULT now(); -- when the trader last asked for it, or something reached it

ALTER TABLE deposits
    DROP CONSTRAINT deposits_amount_check,
    ADD CONSTRAINT deposits_amount_check CHECK (amount > 0 OR kind = 'standard' AND amount = 0), -- all of it may be dust
    ADD COLUMN coin  text NOT NULL DEFAULT '', -- what arrived, and on which chain
    ADD COLUMN chain text NOT NULL DEFAULT '',
    ADD COLUMN dust  text NOT NULL DEFAULT '', -- the part of what arrived that is too small to be credited, exactly
    ADD COLUMN gone_at timestamptz,            -- since when the provider says that what was credited is not there
    ADD COLUMN reversal_reason text NOT NULL DEFAULT '',
    ADD COLUMN reversal_checker bigint REFERENCES staff (id), -- who agreed to the reversal
    ADD CONSTRAINT deposits_reversed_by_two CHECK (reversed_by <> reversal_checker),
    ADD CONSTRAINT deposits_reversed_has_two CHECK (reversal_id IS NULL OR (reversed_by IS NOT NULL AND reversal_checker IS NOT NULL AND reversal_reason <> '')),
    ADD CONSTRAINT deposits_refunded_has_two CHECK (state <> 'refunded' OR (maker_id IS NOT NULL AND checker_id IS NOT NULL AND bank_reference IS NOT NULL));
DROP INDEX deposits_queue, deposits_waiting;
CREATE INDEX deposits_queue ON deposits (proof_at, id)
    WHERE state IN ('proof_submitted', 'in_review', 'approved', 'more_info', 'aml_hold', 'below_min', 'wrong_asset', 'refunding') OR gone_at IS NOT NULL AND reversal_id IS NULL;
CREATE INDEX deposits_waiting ON deposits (proof_at, id)
    WHERE state IN ('proof_submitted', 'in_review', 'approved', 'aml_hold', 'below_min', 'wrong_asset', 'refunding') OR gone_at IS NOT NULL AND reversal_id IS NULL;

-- +goose Down
DROP INDEX deposits_waiting, deposits_queue;
CREATE INDEX deposits_queue ON deposits (proof_at, id) WHERE state IN ('proof_submitted', 'in_review', 'approved', 'more_info');
CREATE INDEX deposits_waiting ON deposits (proof_at, id) WHERE state IN ('proof_submitted', 'in_review', 'approved');
ALTER TABLE deposits
    DROP CONSTRAINT deposits_refunded_has_two, DROP CONSTRAINT deposits_reversed_has_two, DROP CONSTRAINT deposits_reversed_by_two,
    DROP COLUMN reversal_checker, DROP COLUMN reversal_reason, DROP COLUMN gone_at, DROP COLUMN dust, DROP COLUMN chain, DROP COLUMN coin,
    DROP CONSTRAINT deposits_amount_check, ADD CONSTRAINT deposits_amount_check CHECK (amount > 0);
ALTER TABLE deposit_addresses DROP COLUMN wanted_at;
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(replace(pg_get_functiondef('accounts_keep'::regproc), ', n.owed)', ')'), ', o.owed)', ')');
END $$;
-- +goose StatementEnd
ALTER TYPE account_row DROP ATTRIBUTE owed;
ALTER TABLE postings
    DROP CONSTRAINT postings_bucket_check,
    ADD CONSTRAINT postings_bucket_check CHECK (bucket IN ('cash', 'bonus', 'deficit', 'house')) NOT VALID;
ALTER TABLE accounts DROP COLUMN owed;
