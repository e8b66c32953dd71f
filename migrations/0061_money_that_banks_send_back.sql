-- Banks send money back days after they had confirmed it: what was paid to a bank account is asked about for a while after its end.
-- +goose Up
CREATE INDEX withdrawals_paid_by_banks ON withdrawals (ended_at) INCLUDE (asked_at) WHERE provider <> '' AND state = 'completed' AND kind <> 'standard';

-- +goose Down
DROP INDEX withdrawals_paid_by_banks;
