-- A deposit by bank keeps who sent the money as the statement names them, whether that was the trader, and for one that was found on the statement without a
-- proof its value date. What nobody but the desk has said is never credited by one person, nor what somebody else sent.
-- +goose Up
ALTER TABLE deposits
    ADD COLUMN sender_name text NOT NULL DEFAULT '',
    ADD COLUMN sender_same boolean, -- whether it is the name that the trader was verified under when it was typed
    ADD COLUMN value_date  date,    -- of a transfer that the desk took up from the statement
    ADD CONSTRAINT deposits_taken_up_at_banks CHECK (value_date IS NULL OR kind = 'bank'),
    ADD CONSTRAINT deposits_doubted_has_two CHECK (state <> 'credited' OR checker_id IS NOT NULL OR (value_date IS NULL AND sender_same IS NOT FALSE));
CREATE INDEX deposits_alone ON deposits (maker_id, decided_at) INCLUDE (received) WHERE state = 'credited' AND kind = 'bank' AND checker_id IS NULL;

-- +goose Down
DROP INDEX deposits_alone;
ALTER TABLE deposits
    DROP CONSTRAINT deposits_doubted_has_two, DROP CONSTRAINT deposits_taken_up_at_banks,
    DROP COLUMN value_date, DROP COLUMN sender_same, DROP COLUMN sender_name;
