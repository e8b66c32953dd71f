-- A quote of an exchange that nobody took proves nothing, and a trader could fill the table with them: the server deletes them a day after they have expired.
-- A quote that was taken proves its exchange and stays for ever; the trigger tells them apart by the database's own time, whoever deletes.
-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION exchange_quotes_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM exchanges WHERE quote_id = OLD.id) THEN
        RAISE EXCEPTION 'quote % was taken', OLD.id USING ERRCODE = 'check_violation', CONSTRAINT = 'exchange_quotes_keep';
    END IF;
    IF OLD.expires_at > now() - interval '1 day' THEN
        RAISE EXCEPTION 'quote % has not expired for a day', OLD.id USING ERRCODE = 'check_violation', CONSTRAINT = 'exchange_quotes_keep';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER exchange_quotes_keep BEFORE DELETE ON exchange_quotes FOR EACH ROW EXECUTE FUNCTION exchange_quotes_keep();

-- +goose Down
DROP TRIGGER exchange_quotes_keep ON exchange_quotes;
DROP FUNCTION exchange_quotes_keep;
