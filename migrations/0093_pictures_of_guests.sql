-- Pictures of guests of demo accounts are counted with those of the visitors of their network: a guest is made in a moment.
-- +goose Up
DROP INDEX chat_uploads_from;
CREATE INDEX chat_uploads_from ON chat_uploads (from_ip, created_at) WHERE from_ip <> '';

-- +goose Down
DROP INDEX chat_uploads_from;
CREATE INDEX chat_uploads_from ON chat_uploads (from_ip, created_at) WHERE visitor IS NOT NULL;
