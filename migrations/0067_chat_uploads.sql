-- A picture for the chat is kept for a day, until a message names it: only what was said with it stays, and one address brings few.
-- +goose Up
CREATE TABLE chat_uploads (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL UNIQUE, -- random; the only name a browser sees
    trader_id  bigint REFERENCES traders (id),
    visitor    uuid,
    staff_id   bigint REFERENCES staff (id),
    from_ip    text        NOT NULL DEFAULT '',
    width      int         NOT NULL,
    height     int         NOT NULL,
    size       int         NOT NULL,
    created_at timestamptz NOT NULL,
    CHECK (num_nonnulls(trader_id, visitor, staff_id) = 1)
);
CREATE INDEX chat_uploads_created ON chat_uploads (created_at);
CREATE INDEX chat_uploads_from ON chat_uploads (from_ip, created_at) WHERE visitor IS NOT NULL;
-- What was uploaded before, and no message names, is swept like the rest.
INSERT INTO chat_uploads (name, trader_id, visitor, staff_id, width, height, size, created_at)
SELECT name, trader_id, visitor, staff_id, width, height, size, created_at FROM chat_pictures p WHERE NOT EXISTS (SELECT 1 FROM chat_messages m WHERE m.picture = p.name);
DELETE FROM chat_pictures p WHERE NOT EXISTS (SELECT 1 FROM chat_messages m WHERE m.picture = p.name);

-- +goose Down
INSERT INTO chat_pictures (name, trader_id, visitor, staff_id, width, height, size, created_at)
SELECT name, trader_id, visitor, staff_id, width, height, size, created_at FROM chat_uploads ON CONFLICT DO NOTHING;
DROP TABLE chat_uploads;
