-- Whoever decides about a trader's identity or access decides about none of their money, and the other way round, however long ago it was:
-- a member of staff has one duty for each trader, and keeps it. What is a member's own is wider than before: also the traders who share a document, a device or a payee with an account of theirs.
-- +goose Up
CREATE TABLE staff_duties (
    trader_id bigint      NOT NULL REFERENCES traders (id),
    staff_id  bigint      NOT NULL REFERENCES staff (id),
    duty      text        NOT NULL CHECK (duty IN ('person', 'money')),
    since     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (trader_id, staff_id)
);
-- +goose StatementBegin
CREATE FUNCTION refuse_other_duty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a duty of staff is never changed' USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_duties_kept';
END $$;
-- +goose StatementEnd
CREATE TRIGGER staff_duties_kept BEFORE UPDATE OR DELETE ON staff_duties FOR EACH ROW EXECUTE FUNCTION refuse_other_duty();

-- take_duty gives a member of staff a duty for a trader. Of two transactions that give different ones, the second waits for the first at the key and fails.
-- +goose StatementBegin
CREATE FUNCTION take_duty(member bigint, trader bigint, wanted text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    taken text;
BEGIN
    INSERT INTO staff_duties (trader_id, staff_id, duty) VALUES (trader, member, wanted) ON CONFLICT (trader_id, staff_id) DO NOTHING;
    SELECT duty INTO taken FROM staff_duties WHERE trader_id = trader AND staff_id = member;
    IF taken <> wanted THEN
        RAISE EXCEPTION 'member of staff % has the duty % for trader %', member, taken, trader USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_duties_one';
    END IF;
END $$;
-- +goose StatementEnd

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

-- staff_conflict is why a member of staff may not decide about a trader as a duty demands: 'own', the other duty that they have, or nothing.
-- +goose StatementBegin
CREATE FUNCTION staff_conflict(member bigint, trader bigint, wanted text) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN staff_own(member, trader) THEN 'own'
        ELSE (SELECT d.duty FROM staff_duties d WHERE d.trader_id = trader AND d.staff_id = member AND d.duty <> wanted) END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refuse_staff_own() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    decider text;
    member  bigint;
BEGIN
    FOREACH decider IN ARRAY TG_ARGV LOOP
        member := (to_jsonb(NEW) ->> decider)::bigint;
        IF member IS NULL OR (TG_OP = 'UPDATE' AND member IS NOT DISTINCT FROM (to_jsonb(OLD) ->> decider)::bigint) THEN
            CONTINUE;
        END IF;
        IF staff_own(member, NEW.trader_id) THEN
            RAISE EXCEPTION 'member of staff % decides about their own trader %', member, NEW.trader_id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_own';
        END IF;
        IF TG_TABLE_NAME IN ('withdrawals', 'deposits', 'adjustments') THEN
            PERFORM take_duty(member, NEW.trader_id, 'money');
        ELSIF TG_TABLE_NAME = 'kyc_applications' THEN
            PERFORM take_duty(member, NEW.trader_id, 'person');
        END IF;
    END LOOP;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP TRIGGER adjustments_not_own ON adjustments;
CREATE TRIGGER adjustments_not_own BEFORE INSERT OR UPDATE OF maker_id, checker_id, lead_id, refused_by ON adjustments
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'checker_id', 'lead_id', 'refused_by');

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

-- What was decided before: from the rows, and from the log where a later step has emptied them. Whoever did both keeps the person.
INSERT INTO staff_duties (trader_id, staff_id, duty)
SELECT DISTINCT trader_id, member, 'person' FROM (
    SELECT trader_id, unnest(ARRAY[maker_id, lead_id, level_asked_by, level_granted_by]) AS member FROM kyc_applications
    UNION SELECT a.trader_id, d.decided_by FROM kyc_documents d JOIN kyc_applications a ON a.id = d.application_id
    UNION SELECT a.trader_id, e.actor_id FROM kyc_applications a JOIN audit_entries e ON e.target_kind = 'kyc' AND e.target_id = a.id::text
        WHERE e.actor_kind = 'staff' AND e.result = 'done' AND e.action NOT IN ('kyc.claim', 'kyc.release', 'kyc.view', 'kyc.read_data', 'kyc.export')
    UNION SELECT t.id, e.actor_id FROM traders t JOIN audit_entries e ON e.target_kind = 'trader' AND e.target_id = t.id::text
        WHERE e.actor_kind = 'staff' AND e.result = 'done' AND e.action = 'trader.send_password_reset') decided
WHERE member IN (SELECT id FROM staff)
ON CONFLICT DO NOTHING;
INSERT INTO staff_duties (trader_id, staff_id, duty)
SELECT DISTINCT trader_id, member, 'money' FROM (
    SELECT trader_id, unnest(ARRAY[maker_id, checker_id, lead_id, outcome_by]) AS member FROM withdrawals
    UNION SELECT trader_id, unnest(ARRAY[maker_id, checker_id, reversed_by, reversal_checker]) FROM deposits
    UNION SELECT trader_id, unnest(ARRAY[maker_id, checker_id, lead_id, refused_by]) FROM adjustments
    UNION SELECT w.trader_id, e.actor_id FROM withdrawals w JOIN audit_entries e ON e.target_kind = 'withdrawal' AND e.target_id = w.id::text
        WHERE e.actor_kind = 'staff' AND e.result = 'done' AND e.action IN ('withdrawal.approve', 'withdrawal.ask', 'withdrawal.reject', 'withdrawal.recall', 'withdrawal.begin',
            'withdrawal.finish', 'withdrawal.find_out', 'withdrawal.settle', 'withdrawal.bounce')
    UNION SELECT d.trader_id, e.actor_id FROM deposits d JOIN audit_entries e ON e.target_kind = 'deposit' AND e.target_id = d.id::text
        WHERE e.actor_kind = 'staff' AND e.result = 'done' AND e.action NOT IN ('deposit.claim', 'deposit.release', 'deposit.view_proof', 'deposit.enquire')) decided
WHERE member IN (SELECT id FROM staff)
ON CONFLICT DO NOTHING;

-- +goose Down
DROP TRIGGER documents_duty ON kyc_documents;
DROP FUNCTION judge_takes_duty;
DROP TRIGGER adjustments_not_own ON adjustments;
CREATE TRIGGER adjustments_not_own BEFORE INSERT OR UPDATE OF maker_id, checker_id, lead_id ON adjustments
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'checker_id', 'lead_id');
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refuse_staff_own() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    decider text;
    member  bigint;
BEGIN
    FOREACH decider IN ARRAY TG_ARGV LOOP
        member := (to_jsonb(NEW) ->> decider)::bigint;
        IF member IS NULL OR (TG_OP = 'UPDATE' AND member IS NOT DISTINCT FROM (to_jsonb(OLD) ->> decider)::bigint) THEN
            CONTINUE;
        END IF;
        IF staff_own(member, NEW.trader_id) THEN
            RAISE EXCEPTION 'member of staff % decides about their own trader %', member, NEW.trader_id
                USING ERRCODE = 'check_violation', CONSTRAINT = 'staff_own';
        END IF;
    END LOOP;
    RETURN NEW;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION staff_own(member bigint, trader bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM staff s, traders t LEFT JOIN traders i ON i.id = t.invited_by WHERE s.id = member AND t.id = trader AND s.email IN (t.email, i.email))
$$;
-- +goose StatementEnd
DROP FUNCTION staff_conflict;
DROP FUNCTION take_duty;
DROP TABLE staff_duties;
DROP FUNCTION refuse_other_duty;
