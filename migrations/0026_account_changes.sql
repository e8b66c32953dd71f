-- What two members of staff change about a trader's account (app/accountchange).
-- +goose Up

-- The new contact of a trader who has lost the old one. It logs nobody in: with a code that is sent to it the trader sets a new password, and only then it becomes
-- the contact.
CREATE TABLE granted_contacts (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id  bigint      NOT NULL REFERENCES traders(id),
    contact    text        NOT NULL CHECK (contact <> ''),
    asked_at   timestamptz NOT NULL,
    expires_at timestamptz, -- none until two people agreed
    used_at    timestamptz,
    CONSTRAINT granted_contacts_used CHECK ((used_at IS NULL) OR (expires_at IS NOT NULL))
);
CREATE INDEX granted_contacts_contact ON granted_contacts (contact) WHERE used_at IS NULL;
CREATE INDEX granted_contacts_trader ON granted_contacts (trader_id, id DESC);
-- A contact that nobody granted is forgotten with the request; one that was granted goes when the account closes.
-- +goose StatementBegin
CREATE FUNCTION granted_contacts_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.expires_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM public.traders WHERE id = OLD.trader_id AND told_at IS NOT NULL AND closed_at IS NULL) THEN
        RAISE EXCEPTION 'contact % was granted', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER granted_contacts_keep BEFORE DELETE ON granted_contacts FOR EACH ROW EXECUTE FUNCTION granted_contacts_keep();

-- +goose Down
DROP TABLE granted_contacts;
DROP FUNCTION granted_contacts_keep;
