-- The desk reads what time it is for the customer: the app says the zone of its device with each message.
-- +goose Up
ALTER TABLE conversations ADD COLUMN zone text NOT NULL DEFAULT ''; -- of the IANA list; empty while nobody knows

-- +goose Down
ALTER TABLE conversations DROP COLUMN zone;
