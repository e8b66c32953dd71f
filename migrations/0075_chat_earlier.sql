-- What a visitor said on a device becomes the trader's who signs in there; what is a trader's stays theirs. Conversations that are closed can be read again.
-- +goose Up
CREATE INDEX conversations_of_visitor ON conversations (visitor, id DESC) WHERE visitor IS NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION conversations_keep_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.trader_id IS NOT NULL OR NEW.visitor IS NOT NULL THEN
        RAISE EXCEPTION 'conversation % is another customer''s', OLD.id USING ERRCODE = '23514';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER conversations_keep_customer BEFORE UPDATE OF trader_id, visitor ON conversations FOR EACH ROW
    WHEN ((OLD.trader_id, OLD.visitor) IS DISTINCT FROM (NEW.trader_id, NEW.visitor)) EXECUTE FUNCTION conversations_keep_customer();

-- +goose Down
DROP TRIGGER conversations_keep_customer ON conversations;
DROP FUNCTION conversations_keep_customer;
DROP INDEX conversations_of_visitor;
