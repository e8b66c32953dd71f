-- What is set right by hand takes two people: a stop of money out ends by one who asks and another who agrees.
-- +goose Up
ALTER TABLE money_out_stops ADD COLUMN asked_by bigint REFERENCES staff (id), ADD COLUMN asked_at timestamptz;
-- Stops of before were ended by one person: the rule holds from now on.
ALTER TABLE money_out_stops ADD CHECK ((asked_by IS NULL) = (asked_at IS NULL)), ADD CHECK (asked_by <> ended_by),
    ADD CONSTRAINT money_out_stops_two CHECK (ended_by IS NULL OR asked_by IS NOT NULL) NOT VALID;

-- +goose Down
ALTER TABLE money_out_stops DROP COLUMN asked_by, DROP COLUMN asked_at;
