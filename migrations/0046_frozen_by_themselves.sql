-- A trader may freeze their own account: money out and logging in. Nobody of the staff set it, so any one of them who may can lift it; it has no end of its own.
-- +goose Up
ALTER TABLE trader_restrictions
    ALTER COLUMN set_by DROP NOT NULL,
    DROP CONSTRAINT trader_restrictions_reason_check,
    DROP CONSTRAINT trader_restrictions_note_check,
    ADD CONSTRAINT trader_restrictions_reason_check
        CHECK (reason IN ('verification_needed', 'unusual_activity', 'requested_by_trader', 'payment_dispute', 'legal_order', 'other', 'self_frozen')),
    ADD CONSTRAINT trader_restrictions_note_check CHECK (char_length(note) <= 1000 AND (note = '') = (set_by IS NULL)),
    ADD CONSTRAINT trader_restrictions_own_check CHECK ((set_by IS NULL) = (reason = 'self_frozen')),
    ADD CONSTRAINT trader_restrictions_frozen_check CHECK (set_by IS NOT NULL OR (kind IN ('withdraw', 'login') AND until_at IS NULL));

-- +goose Down
DELETE FROM trader_restrictions WHERE set_by IS NULL;
ALTER TABLE trader_restrictions
    ALTER COLUMN set_by SET NOT NULL,
    DROP CONSTRAINT trader_restrictions_frozen_check,
    DROP CONSTRAINT trader_restrictions_own_check,
    DROP CONSTRAINT trader_restrictions_note_check,
    DROP CONSTRAINT trader_restrictions_reason_check,
    ADD CONSTRAINT trader_restrictions_reason_check
        CHECK (reason IN ('verification_needed', 'unusual_activity', 'requested_by_trader', 'payment_dispute', 'legal_order', 'other')),
    ADD CONSTRAINT trader_restrictions_note_check CHECK (char_length(note) BETWEEN 1 AND 1000);
