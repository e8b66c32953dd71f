-- A language of the chat may have hours of its own, and agents say which languages they take.
-- +goose Up
ALTER TABLE chat_hours ADD COLUMN language text NOT NULL DEFAULT ''; -- empty are the hours of every language without any of its own
ALTER TABLE chat_hours DROP CONSTRAINT chat_hours_pkey, ADD PRIMARY KEY (language, weekday);
ALTER TABLE chat_agents ADD COLUMN languages text NOT NULL DEFAULT ''; -- with commas between them; empty takes all

-- +goose Down
ALTER TABLE chat_agents DROP COLUMN languages;
DELETE FROM chat_hours WHERE language <> '';
ALTER TABLE chat_hours DROP CONSTRAINT chat_hours_pkey, ADD PRIMARY KEY (weekday);
ALTER TABLE chat_hours DROP COLUMN language;
