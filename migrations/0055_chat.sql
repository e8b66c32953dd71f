-- Traders, and visitors without an account, talk to agents: threads whose messages have the ids of their senders and are never changed.
-- +goose Up
CREATE TABLE conversations (
    id              bigint GENERATED ALWAYS AS IDENTITY (START WITH 88001) PRIMARY KEY,
    trader_id       bigint REFERENCES traders (id),
    visitor         uuid, -- of the device that writes without an account
    language        text        NOT NULL,
    topic           text        NOT NULL DEFAULT '',
    state           text        NOT NULL CHECK (state IN ('queued', 'open', 'waiting_customer', 'snoozed', 'resolved', 'closed', 'offline_message')),
    agent_id        bigint REFERENCES staff (id),
    waiting_since   timestamptz,
    first_answer_at timestamptz,
    snoozed_until   timestamptz,
    resolved_at     timestamptz,
    resolved_by     bigint REFERENCES staff (id),
    reopened_at     timestamptz,
    priority        int         NOT NULL DEFAULT 0,
    labels          text[]      NOT NULL DEFAULT '{}',
    last_message_id bigint      NOT NULL DEFAULT 0,
    customer_read   bigint      NOT NULL DEFAULT 0,
    agent_read      bigint      NOT NULL DEFAULT 0,
    rating          int CHECK (rating BETWEEN 1 AND 5),
    rating_comment  text        NOT NULL DEFAULT '',
    version         int         NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL,
    moved_at        timestamptz NOT NULL,
    CHECK ((trader_id IS NULL) <> (visitor IS NULL)),
    CHECK (state NOT IN ('open', 'waiting_customer', 'snoozed') OR agent_id IS NOT NULL),
    CHECK ((state = 'snoozed') = (snoozed_until IS NOT NULL)),
    CHECK (state NOT IN ('resolved', 'closed') OR resolved_at IS NOT NULL)
);
CREATE UNIQUE INDEX conversations_trader ON conversations (trader_id) WHERE state <> 'closed'; -- one living one each
CREATE UNIQUE INDEX conversations_visitor ON conversations (visitor) WHERE state <> 'closed';
CREATE INDEX conversations_waiting ON conversations (coalesce(waiting_since, 'infinity'), id) WHERE state NOT IN ('resolved', 'closed');
CREATE INDEX conversations_agent ON conversations (agent_id, coalesce(waiting_since, 'infinity'), id) WHERE state NOT IN ('resolved', 'closed');
CREATE INDEX conversations_of_trader ON conversations (trader_id, id DESC);
CREATE INDEX conversations_resolved ON conversations (resolved_at) WHERE state = 'resolved';

CREATE TABLE chat_messages (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    conversation_id bigint      NOT NULL REFERENCES conversations (id),
    client_id       uuid        NOT NULL,
    author          text        NOT NULL CHECK (author IN ('customer', 'agent', 'system')),
    staff_id        bigint REFERENCES staff (id),
    kind            text        NOT NULL CHECK (kind IN ('text', 'picture', 'card', 'note', 'event')),
    body            text        NOT NULL CHECK (length(body) <= 4000),
    masked          boolean     NOT NULL DEFAULT false,
    file_id         bigint REFERENCES files (id),
    card_kind       text        NOT NULL DEFAULT '',
    card_id         bigint,
    at              timestamptz NOT NULL,
    UNIQUE (conversation_id, client_id),
    CHECK (author <> 'agent' OR staff_id IS NOT NULL),
    CHECK (kind <> 'note' OR author = 'agent'),
    CHECK ((kind = 'picture') = (file_id IS NOT NULL)),
    CHECK ((kind = 'card') = (card_id IS NOT NULL))
);
CREATE INDEX chat_messages_thread ON chat_messages (conversation_id, id);

-- +goose Down
DROP TABLE chat_messages, conversations;
