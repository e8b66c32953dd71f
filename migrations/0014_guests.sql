-- Guests try the platform with mock money: traders of type 8 who have given none of what registering asks for, with one account, of type 8.
-- The composite key says that a guest's account is never a real one, nor any other trader's one of type 8.
-- +goose Up
ALTER TABLE traders
    ALTER COLUMN password_hash DROP NOT NULL,
    ALTER COLUMN country DROP NOT NULL,
    ALTER COLUMN invite_code DROP NOT NULL,
    ALTER COLUMN accepted_at DROP NOT NULL,
    DROP CONSTRAINT traders_check,
    ADD CONSTRAINT traders_registered CHECK (type = 8 OR (num_nonnulls(email, phone) > 0 AND num_nulls(password_hash, country, invite_code, accepted_at) = 0)),
    ADD CONSTRAINT traders_guest CHECK (type <> 8 OR (num_nonnulls(email, phone, password_hash, country, invite_code, invited_by, accepted_at) = 0
        AND auth_status = -1 AND level = 0)),
    ADD COLUMN guest boolean NOT NULL GENERATED ALWAYS AS (type = 8) STORED,
    ADD UNIQUE (id, guest);
ALTER TABLE accounts
    ADD COLUMN guest boolean NOT NULL GENERATED ALWAYS AS (type = 8) STORED,
    ADD FOREIGN KEY (trader_id, guest) REFERENCES traders (id, guest);
CREATE INDEX devices_fingerprint ON devices (fingerprint);

-- +goose Down
-- Refused while there are guests: what they traded stays.
DROP INDEX devices_fingerprint;
ALTER TABLE accounts DROP COLUMN guest;
ALTER TABLE traders
    DROP COLUMN guest,
    DROP CONSTRAINT traders_guest,
    DROP CONSTRAINT traders_registered,
    ADD CONSTRAINT traders_check CHECK (email IS NOT NULL OR phone IS NOT NULL),
    ALTER COLUMN password_hash SET NOT NULL,
    ALTER COLUMN country SET NOT NULL,
    ALTER COLUMN invite_code SET NOT NULL,
    ALTER COLUMN accepted_at SET NOT NULL;
