-- What the desk says of each of the data that a trader typed, beside the papers: it fits, or it differs.
-- +goose Up
ALTER TABLE kyc_applications ADD COLUMN marks text NOT NULL DEFAULT ''; -- field:mark with commas between them

-- +goose Down
ALTER TABLE kyc_applications DROP COLUMN marks;
