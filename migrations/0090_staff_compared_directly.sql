-- Staff are compared with traders by phone number and by the browser that they sign in with too: whoever hides a trader account behind another e-mail is found all the same.
-- +goose Up
ALTER TABLE staff ADD phone text CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'); -- compared with the phone numbers of traders, and nothing else

-- The fingerprint is hashed like a trader's. A browser once seen stays, so that what it says can only add to what is a member's own.
CREATE TABLE staff_devices (
    staff_id      bigint      NOT NULL REFERENCES staff (id),
    fingerprint   bytea       NOT NULL CHECK (octet_length(fingerprint) = 32),
    first_seen_at timestamptz NOT NULL,
    last_seen_at  timestamptz NOT NULL,
    PRIMARY KEY (staff_id, fingerprint)
);

-- The member's known accounts are found by e-mail, phone number and browser. Their own are these, whom these introduced, and who shares a document, a device or a payee with one of them.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION staff_own(member bigint, trader bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    WITH known AS (
        SELECT t.id FROM staff s JOIN traders t ON t.email = s.email WHERE s.id = member
        UNION SELECT t.id FROM staff s JOIN traders t ON t.phone = s.phone WHERE s.id = member
        UNION SELECT d.trader_id FROM staff_devices s JOIN devices d ON d.fingerprint = s.fingerprint WHERE s.staff_id = member)
    SELECT EXISTS (SELECT 1 FROM known) AND (
        trader IN (SELECT id FROM known)
        OR EXISTS (SELECT 1 FROM traders t JOIN known ON known.id = t.invited_by WHERE t.id = trader)
        OR EXISTS (SELECT 1 FROM kyc_applications same JOIN kyc_applications mine ON mine.number_hash = same.number_hash JOIN known ON known.id = mine.trader_id WHERE same.trader_id = trader)
        OR EXISTS (SELECT 1 FROM devices same JOIN devices mine ON mine.fingerprint = same.fingerprint JOIN known ON known.id = mine.trader_id WHERE same.trader_id = trader)
        OR EXISTS (SELECT 1 FROM payees same JOIN payees mine ON mine.iban = same.iban JOIN known ON known.id = mine.trader_id
            WHERE same.trader_id = trader AND same.kind = 'bank' AND mine.kind = 'bank')
        OR EXISTS (SELECT 1 FROM payees same JOIN payees mine ON (mine.address, mine.memo) = (same.address, same.memo) JOIN known ON known.id = mine.trader_id
            WHERE same.trader_id = trader AND same.kind = 'address' AND mine.kind = 'address'))
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION staff_own(member bigint, trader bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT 1 FROM staff s JOIN traders known ON known.email = s.email JOIN traders t ON t.id = trader
        WHERE s.id = member AND (
            known.id = t.id OR known.id = t.invited_by
            OR EXISTS (SELECT 1 FROM kyc_applications mine JOIN kyc_applications same ON same.number_hash = mine.number_hash WHERE mine.trader_id = known.id AND same.trader_id = t.id)
            OR EXISTS (SELECT 1 FROM devices mine JOIN devices same ON same.fingerprint = mine.fingerprint WHERE mine.trader_id = known.id AND same.trader_id = t.id)
            OR EXISTS (SELECT 1 FROM payees mine JOIN payees same ON same.iban = mine.iban
                WHERE mine.trader_id = known.id AND same.trader_id = t.id AND mine.kind = 'bank' AND same.kind = 'bank')
            OR EXISTS (SELECT 1 FROM payees mine JOIN payees same ON (same.address, same.memo) = (mine.address, mine.memo)
                WHERE mine.trader_id = known.id AND same.trader_id = t.id AND mine.kind = 'address' AND same.kind = 'address')))
$$;
-- +goose StatementEnd
DROP TABLE staff_devices;
ALTER TABLE staff DROP phone;
