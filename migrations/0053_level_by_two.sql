-- The higher level of a verified trader takes two people: one asks for it and says why, another one grants it. What was asked for holds no longer than the
-- approval and the level that it was asked for, and waits in the queue with the applications.
-- +goose Up
ALTER TABLE kyc_applications
    ADD COLUMN level_asked_by   bigint REFERENCES staff (id),
    ADD COLUMN level_asked_at   timestamptz,
    ADD COLUMN level_reason     text CHECK (char_length(level_reason) BETWEEN 10 AND 1000), -- for staff alone
    ADD COLUMN level_granted_by bigint REFERENCES staff (id),
    ADD CONSTRAINT kyc_applications_level_asked CHECK (num_nulls(level_asked_by, level_asked_at, level_reason) IN (0, 3)),
    ADD CONSTRAINT kyc_applications_level_waits CHECK (level_asked_by IS NULL OR level_granted_by IS NOT NULL OR (state = 'approved' AND level = 1)),
    ADD CONSTRAINT kyc_applications_level_granted CHECK ((level = 2) = (level_granted_by IS NOT NULL)),
    ADD CONSTRAINT kyc_applications_level_by_two CHECK (level_granted_by IS NULL OR (level_asked_by IS NOT NULL AND level_asked_by <> level_granted_by));
DROP TRIGGER applications_not_own ON kyc_applications;
CREATE TRIGGER applications_not_own BEFORE INSERT OR UPDATE OF maker_id, lead_id, level_asked_by, level_granted_by ON kyc_applications
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'lead_id', 'level_asked_by', 'level_granted_by');
DROP INDEX kyc_applications_queue;
CREATE INDEX kyc_applications_queue ON kyc_applications (coalesce(level_asked_at, submitted_at), id)
    WHERE state IN ('submitted', 'in_review', 'escalated') OR (level_asked_by IS NOT NULL AND level_granted_by IS NULL);

-- +goose Down
DROP INDEX kyc_applications_queue;
CREATE INDEX kyc_applications_queue ON kyc_applications (submitted_at, id) WHERE state IN ('submitted', 'in_review', 'escalated');
DROP TRIGGER applications_not_own ON kyc_applications;
CREATE TRIGGER applications_not_own BEFORE INSERT OR UPDATE OF maker_id, lead_id ON kyc_applications
    FOR EACH ROW EXECUTE FUNCTION refuse_staff_own('maker_id', 'lead_id');
ALTER TABLE kyc_applications
    DROP CONSTRAINT kyc_applications_level_by_two, DROP CONSTRAINT kyc_applications_level_granted,
    DROP CONSTRAINT kyc_applications_level_waits, DROP CONSTRAINT kyc_applications_level_asked,
    DROP COLUMN level_granted_by, DROP COLUMN level_reason, DROP COLUMN level_asked_at, DROP COLUMN level_asked_by;
