-- Conflict of interest: which duty each member of staff has had for each trader. Nobody decides about themselves, and nobody who has vouched for a trader pays that trader.
-- +goose Up
CREATE TYPE staff_duty AS ENUM ('money', 'person');
CREATE CAST (text AS staff_duty) WITH INOUT AS ASSIGNMENT;

CREATE TABLE staff_duties (
    trader_id bigint      NOT NULL REFERENCES traders(id),
    staff_id  bigint      NOT NULL REFERENCES staff(id),
    duty      staff_duty  NOT NULL,
    since     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT staff_duties_pkey PRIMARY KEY (trader_id, staff_id)
);

-- The member's known accounts are found by e-mail, phone number and browser. Their own are these, whom these introduced, and who shares a document, a device
-- or a payee with one of them.
-- +goose StatementBegin
CREATE FUNCTION staff_own(member bigint, trader bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    known bigint[] := ARRAY(
        SELECT t.id FROM staff s JOIN traders t ON t.email = s.email WHERE s.id = member
        UNION SELECT t.id FROM staff s JOIN traders t ON t.phone = s.phone WHERE s.id = member
        UNION SELECT d.trader_id FROM staff_devices s JOIN devices d ON d.fingerprint = s.fingerprint WHERE s.staff_id = member);
BEGIN
    IF known = '{}' THEN
        RETURN false; -- nearly always
    END IF;
    RETURN trader = ANY (known)
        OR EXISTS (SELECT 1 FROM traders t WHERE t.id = trader AND t.invited_by = ANY (known))
        OR EXISTS (SELECT 1 FROM kyc_applications same JOIN kyc_applications mine ON mine.number_hash = same.number_hash WHERE same.trader_id = trader AND mine.trader_id = ANY (known))
        OR EXISTS (SELECT 1 FROM devices same JOIN devices mine ON mine.fingerprint = same.fingerprint WHERE same.trader_id = trader AND mine.trader_id = ANY (known))
        OR EXISTS (SELECT 1 FROM payees same JOIN payees mine ON mine.iban = same.iban
            WHERE same.trader_id = trader AND mine.trader_id = ANY (known) AND same.kind = 'bank' AND mine.kind = 'bank')
        OR EXISTS (SELECT 1 FROM payees same JOIN payees mine ON (mine.address, mine.memo) = (same.address, same.memo)
            WHERE same.trader_id = trader AND mine.trader_id = ANY (known) AND same.kind = 'address' AND mine.kind = 'address');
END $$;
-- +goose StatementEnd

-- The arguments are the columns that name who decided; a column that did not change is not asked about again.
-- +goose StatementBegin
CREATE FUNCTION refuse_staff_own() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    decider text;
    member  bigint;
BEGIN
    IF NEW.trader_id IS NULL THEN
        RETURN NEW; -- an approval that is about no trader
    END IF;
    FOREACH decider IN ARRAY TG_ARGV LOOP
        member := (to_jsonb(NEW) ->> decider)::bigint;
        IF member IS NULL OR (TG_OP = 'UPDATE' AND member IS NOT DISTINCT FROM (to_jsonb(OLD) ->> decider)::bigint) THEN
            CONTINUE;
        END IF;
        IF decider = 'closed_by' AND member = (to_jsonb(NEW) ->> 'requested_by')::bigint THEN
            CONTINUE; -- whoever requested something may always withdraw it
        END IF;
        IF staff_own(member, NEW.trader_id) THEN
            RAISE EXCEPTION 'member of staff % decides about their own trader %', member, NEW.trader_id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_own';
        END IF;
        IF TG_TABLE_NAME = 'deposits'
            OR TG_TABLE_NAME = 'approvals' AND to_jsonb(NEW) ->> 'use' IN ('adjustment', 'deposit_reversal', 'withdrawal', 'withdrawal_outcome') THEN
            PERFORM take_duty(member, NEW.trader_id, 'money');
        ELSIF TG_TABLE_NAME = 'kyc_applications' OR TG_TABLE_NAME = 'approvals' AND to_jsonb(NEW) ->> 'use' = 'identity_level' THEN
            PERFORM take_duty(member, NEW.trader_id, 'person');
        END IF;
    END LOOP;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER deposits_not_own BEFORE INSERT OR UPDATE OF maker_id, checker_id ON deposits FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'checker_id');
CREATE TRIGGER restrictions_not_own BEFORE INSERT OR UPDATE OF set_by, lifted_by ON trader_restrictions FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('set_by', 'lifted_by');
CREATE TRIGGER applications_not_own BEFORE INSERT OR UPDATE OF maker_id, lead_id ON kyc_applications FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'lead_id');
CREATE TRIGGER approvals_not_own BEFORE INSERT OR UPDATE OF requested_by, second_by, third_by, closed_by ON approvals FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('requested_by', 'second_by', 'third_by', 'closed_by');

-- +goose StatementBegin
CREATE FUNCTION refuse_other_duty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a duty of staff is never changed' USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_duties_kept';
END $$;
-- +goose StatementEnd
CREATE TRIGGER staff_duties_kept BEFORE DELETE OR UPDATE ON staff_duties FOR EACH ROW EXECUTE FUNCTION refuse_other_duty();

-- take_duty gives a member of staff a duty for a trader. Of two transactions that give different ones, the second waits for the first at the key and fails.
-- +goose StatementBegin
CREATE FUNCTION take_duty(member bigint, trader bigint, wanted staff_duty) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taken staff_duty;
BEGIN
    INSERT INTO staff_duties (trader_id, staff_id, duty) VALUES (trader, member, wanted) ON CONFLICT (trader_id, staff_id) DO NOTHING;
    SELECT duty INTO taken FROM staff_duties WHERE trader_id = trader AND staff_id = member;
    IF taken <> wanted THEN
        RAISE EXCEPTION 'member of staff % has the duty % for trader %', member, taken, trader USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_duties_one';
    END IF;
END $$;
-- +goose StatementEnd

-- staff_conflict is why a member of staff may not decide about a trader as a duty demands: 'own', the other duty that they have, or nothing.
-- +goose StatementBegin
CREATE FUNCTION staff_conflict(member bigint, trader bigint, wanted staff_duty) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF staff_own(member, trader) THEN
        RETURN 'own';
    END IF;
    RETURN (SELECT d.duty::text FROM staff_duties d WHERE d.trader_id = trader AND d.staff_id = member AND d.duty <> wanted);
END $$;
-- +goose StatementEnd

-- Who judges a picture decides about the person.
-- +goose StatementBegin
CREATE FUNCTION judge_takes_duty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.decided_by IS NOT NULL THEN
        PERFORM take_duty(NEW.decided_by, a.trader_id, 'person') FROM kyc_applications a WHERE a.id = NEW.application_id;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER documents_duty BEFORE INSERT OR UPDATE OF decided_by ON kyc_documents FOR EACH ROW EXECUTE FUNCTION judge_takes_duty();

-- +goose Down
DROP TRIGGER deposits_not_own ON deposits;
DROP TRIGGER restrictions_not_own ON trader_restrictions;
DROP TRIGGER applications_not_own ON kyc_applications;
DROP TRIGGER approvals_not_own ON approvals;
DROP TRIGGER documents_duty ON kyc_documents;
DROP TABLE staff_duties;
DROP FUNCTION staff_own(bigint, bigint);
DROP FUNCTION refuse_staff_own();
DROP FUNCTION refuse_other_duty();
DROP FUNCTION take_duty(bigint, bigint, staff_duty);
DROP FUNCTION staff_conflict(bigint, bigint, staff_duty);
DROP FUNCTION judge_takes_duty();
DROP CAST (text AS staff_duty);
DROP TYPE staff_duty;
