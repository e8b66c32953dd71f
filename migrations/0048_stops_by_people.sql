-- People may stop all money out too, each for a time and with a reason: one stops, two let it go on, or its time is over.
-- +goose Up
ALTER TABLE money_out_stops
    ALTER COLUMN reconciliation_id DROP NOT NULL,
    ADD COLUMN stopped_by bigint REFERENCES staff (id),
    ADD COLUMN reason     text,
    ADD COLUMN until_at   timestamptz,
    ADD CONSTRAINT money_out_stops_cause CHECK (num_nonnulls(reconciliation_id, stopped_by) = 1),
    ADD CONSTRAINT money_out_stops_person CHECK (num_nulls(stopped_by, reason, until_at) IN (0, 3)),
    DROP CONSTRAINT money_out_stops_check,
    ADD CONSTRAINT money_out_stops_ended CHECK (ended_by IS NULL OR ended_at IS NOT NULL),
    -- Only time ends a stop without a person, and only a person's stop has one.
    ADD CONSTRAINT money_out_stops_over CHECK (ended_at IS NULL OR ended_by IS NOT NULL OR ended_at >= until_at);
DROP INDEX money_out_stops_living;
CREATE UNIQUE INDEX money_out_stops_living ON money_out_stops ((stopped_by IS NULL)) WHERE ended_at IS NULL;

-- +goose Down
DROP INDEX money_out_stops_living;
DELETE FROM money_out_stops WHERE stopped_by IS NOT NULL;
CREATE UNIQUE INDEX money_out_stops_living ON money_out_stops ((true)) WHERE ended_at IS NULL;
ALTER TABLE money_out_stops
    DROP CONSTRAINT money_out_stops_over, DROP CONSTRAINT money_out_stops_ended, DROP CONSTRAINT money_out_stops_person, DROP CONSTRAINT money_out_stops_cause,
    ADD CONSTRAINT money_out_stops_check CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
    DROP COLUMN until_at, DROP COLUMN reason, DROP COLUMN stopped_by,
    ALTER COLUMN reconciliation_id SET NOT NULL;
