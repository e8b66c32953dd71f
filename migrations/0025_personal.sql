-- What belongs to a person and not to the books: their profile, the copy of their data, and the end of their account.
-- +goose Up
CREATE TABLE trader_profiles (
    trader_id    bigint      PRIMARY KEY REFERENCES traders(id),
    nickname     text        CHECK (char_length(nickname) BETWEEN 1 AND 40),
    avatar       bytea       CHECK (octet_length(avatar) <= 262144), -- a JPEG of our own encoding
    avatar_at    timestamptz,
    marketing_at timestamptz, -- when the trader agreed to be told of offers; none: not agreed
    CONSTRAINT trader_profiles_avatar CHECK ((avatar IS NULL) = (avatar_at IS NULL))
);

-- An account closes 14 days after its trader asked for it, and can be reopened until then.
ALTER TABLE traders ADD COLUMN closes_at timestamptz, ADD COLUMN told_at timestamptz, ADD COLUMN closed_at timestamptz,
    ADD CONSTRAINT traders_closing CHECK ((told_at IS NULL OR closes_at IS NOT NULL) AND (closed_at IS NULL OR closes_at IS NOT NULL)),
    DROP CONSTRAINT traders_registered,
    ADD CONSTRAINT traders_registered CHECK ((type = 8) OR ((country IS NOT NULL) AND (accepted_at IS NOT NULL) AND (invite_code IS NOT NULL)
        AND CASE WHEN closed_at IS NULL THEN num_nonnulls(email, phone, wallet) > 0 ELSE num_nonnulls(email, phone, wallet, password_hash, phrase) = 0 END));
CREATE INDEX traders_closing ON traders (closes_at) WHERE closes_at IS NOT NULL AND closed_at IS NULL;

-- What an account leaves behind is deleted when it closes, and not before.
-- +goose StatementBegin
CREATE FUNCTION only_of_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM public.traders WHERE id = OLD.trader_id AND told_at IS NOT NULL AND closed_at IS NULL) THEN
        RAISE EXCEPTION 'rows of % go when the account closes', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER only_of_closing BEFORE DELETE ON payees FOR EACH ROW EXECUTE FUNCTION only_of_closing();
CREATE TRIGGER only_of_closing BEFORE DELETE ON payee_name_words FOR EACH ROW EXECUTE FUNCTION only_of_closing();
CREATE TRIGGER only_of_closing BEFORE DELETE ON payee_settings FOR EACH ROW EXECUTE FUNCTION only_of_closing();
CREATE TRIGGER only_of_closing BEFORE DELETE ON payment_passwords FOR EACH ROW EXECUTE FUNCTION only_of_closing();
CREATE TRIGGER only_of_closing BEFORE DELETE ON trader_preferences FOR EACH ROW EXECUTE FUNCTION only_of_closing();
CREATE TRIGGER only_of_closing BEFORE DELETE ON user_messages FOR EACH ROW EXECUTE FUNCTION only_of_closing();
CREATE TRIGGER only_of_closing BEFORE DELETE ON notification_settings FOR EACH ROW EXECUTE FUNCTION only_of_closing();

-- The copies of their data that traders ask for. The file is sealed; its key goes with the copy.
CREATE TYPE data_export_state AS ENUM ('expired', 'failed', 'ready', 'requested');
CREATE CAST (text AS data_export_state) WITH INOUT AS ASSIGNMENT;
CREATE TABLE data_exports (
    id           bigint            GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id    bigint            NOT NULL REFERENCES traders(id),
    state        data_export_state NOT NULL,
    requested_at timestamptz       NOT NULL,
    ready_at     timestamptz,
    expires_at   timestamptz,
    file_name    text,
    file_key     bytea,
    size         bigint,
    CONSTRAINT data_exports_ready CHECK ((state = 'ready') = (num_nulls(ready_at, expires_at, file_name, file_key, size) = 0)),
    CONSTRAINT data_exports_gone CHECK (state = 'ready' OR file_key IS NULL)
);
CREATE UNIQUE INDEX data_exports_open ON data_exports (trader_id) WHERE state IN ('requested', 'ready');
CREATE INDEX data_exports_expiry ON data_exports (expires_at) WHERE state = 'ready';

-- +goose Down
DROP TABLE data_exports, trader_profiles;
DROP TRIGGER only_of_closing ON payees;
DROP TRIGGER only_of_closing ON payee_name_words;
DROP TRIGGER only_of_closing ON payee_settings;
DROP TRIGGER only_of_closing ON payment_passwords;
DROP TRIGGER only_of_closing ON trader_preferences;
DROP TRIGGER only_of_closing ON user_messages;
DROP TRIGGER only_of_closing ON notification_settings;
DROP FUNCTION only_of_closing;
DROP CAST (text AS data_export_state);
DROP TYPE data_export_state;
ALTER TABLE traders DROP CONSTRAINT traders_closing, DROP CONSTRAINT traders_registered, DROP COLUMN closes_at, DROP COLUMN told_at, DROP COLUMN closed_at,
    ADD CONSTRAINT traders_registered CHECK ((type = 8) OR ((num_nonnulls(email, phone, wallet) > 0) AND (num_nulls(country, invite_code, accepted_at) = 0)));
