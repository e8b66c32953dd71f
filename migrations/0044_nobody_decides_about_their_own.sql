-- Nobody decides about money or rights of their own, or of somebody they introduced: whoever is written down as having decided is neither.
-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION staff_own(member bigint, trader bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM staff s, traders t LEFT JOIN traders i ON i.id = t.invited_by WHERE s.id = member AND t.id = trader AND s.email IN (t.email, i.email))
$$;
-- +goose StatementEnd

-- The arguments are the columns that name who decided; a column that did not change is not asked about again.
-- +goose StatementBegin
CREATE FUNCTION refuse_staff_own() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER withdrawals_not_own BEFORE INSERT OR UPDATE OF maker_id, checker_id, lead_id, outcome_by ON withdrawals
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'checker_id', 'lead_id', 'outcome_by');
CREATE TRIGGER deposits_not_own BEFORE INSERT OR UPDATE OF maker_id, checker_id, reversed_by, reversal_checker ON deposits
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'checker_id', 'reversed_by', 'reversal_checker');
CREATE TRIGGER adjustments_not_own BEFORE INSERT OR UPDATE OF maker_id, checker_id, lead_id ON adjustments
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'checker_id', 'lead_id');
CREATE TRIGGER restrictions_not_own BEFORE INSERT OR UPDATE OF set_by, lifted_by ON trader_restrictions
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('set_by', 'lifted_by');
CREATE TRIGGER applications_not_own BEFORE INSERT OR UPDATE OF maker_id, lead_id ON kyc_applications
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'lead_id');

-- +goose Down
DROP TRIGGER applications_not_own ON kyc_applications;
DROP TRIGGER restrictions_not_own ON trader_restrictions;
DROP TRIGGER adjustments_not_own ON adjustments;
DROP TRIGGER deposits_not_own ON deposits;
DROP TRIGGER withdrawals_not_own ON withdrawals;
DROP FUNCTION refuse_staff_own;
DROP FUNCTION staff_own;
