-- Traders, and visitors without an account, talk to agents: threads whose messages have the ids of their senders and are never changed.
-- +goose Up
CREATE TABLE conversations (
    id              bigint GENERATED ALWAYS AS IDENTITY (START WITH 88001) PRIMARY KEY,
    trader_id       bigint REFERENCES traders (id),
    visitor         uuid, -- of the device that writes without an account
    from_ip         text        NOT NULL DEFAULT '',
    language        text        NOT NULL,
    state           text        NOT NULL CHECK (state IN ('queued', 'open', 'waiting_customer', 'snoozed', 'resolved', 'closed', 'offline_message')),
    agent_id        bigint REFERENCES staff (id),
    waiting_since   timestamptz, -- since when a message of the customer is not answered
    answered_at     timestamptz, -- when an agent first answered
    snoozed_until   timestamptz,
    resolved_at     timestamptz,
    resolved_by     bigint REFERENCES staff (id),
    reopened_at     timestamptz,
    urgent          boolean     NOT NULL DEFAULT false,
    labels          text        NOT NULL DEFAULT '', -- with commas between them
    last_message_id bigint      NOT NULL DEFAULT 0, -- the newest that both sides may read
    customer_got    bigint      NOT NULL DEFAULT 0, -- the newest message that reached the customer's app
    customer_read   bigint      NOT NULL DEFAULT 0,
    agent_got       bigint      NOT NULL DEFAULT 0, -- the newest message that reached an agent's page
    agent_read      bigint      NOT NULL DEFAULT 0,
    rating          int CHECK (rating BETWEEN 1 AND 5),
    rated_at        timestamptz, -- also where the rating was skipped
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
CREATE INDEX conversations_waiting ON conversations (waiting_since, id) WHERE state NOT IN ('resolved', 'closed');
CREATE INDEX conversations_agent ON conversations (agent_id, state) WHERE state NOT IN ('resolved', 'closed');
CREATE INDEX conversations_of_trader ON conversations (trader_id, id DESC);
CREATE INDEX conversations_from ON conversations (from_ip, created_at) WHERE visitor IS NOT NULL;
CREATE INDEX conversations_resolved ON conversations (resolved_at) WHERE state = 'resolved';
CREATE INDEX conversations_moved ON conversations (moved_at DESC, id DESC);

CREATE TABLE chat_pictures (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name            text        NOT NULL UNIQUE, -- random; the only name a browser sees
    trader_id       bigint REFERENCES traders (id),
    visitor         uuid,
    staff_id        bigint REFERENCES staff (id),
    width           int         NOT NULL,
    height          int         NOT NULL,
    size            int         NOT NULL,
    created_at      timestamptz NOT NULL,
    CHECK (num_nonnulls(trader_id, visitor, staff_id) = 1)
);

CREATE TABLE chat_messages (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    conversation_id bigint      NOT NULL REFERENCES conversations (id),
    client_id       uuid        NOT NULL,
    author          text        NOT NULL CHECK (author IN ('customer', 'agent', 'system')),
    staff_id        bigint REFERENCES staff (id),
    kind            text        NOT NULL CHECK (kind IN ('text', 'picture', 'card', 'note', 'event')),
    private         boolean     NOT NULL, -- stays at the desk
    body            text        NOT NULL CHECK (length(body) <= 4000),
    masked          boolean     NOT NULL DEFAULT false,
    picture         text REFERENCES chat_pictures (name),
    card_kind       text        NOT NULL DEFAULT '',
    card_id         bigint,
    at              timestamptz NOT NULL,
    UNIQUE (conversation_id, client_id),
    CHECK (author <> 'agent' OR staff_id IS NOT NULL),
    CHECK (kind <> 'note' OR author = 'agent' AND private),
    CHECK ((kind = 'picture') = (picture IS NOT NULL)),
    CHECK ((kind = 'card') = (card_id IS NOT NULL))
);
CREATE INDEX chat_messages_thread ON chat_messages (conversation_id, id);
CREATE INDEX chat_messages_words ON chat_messages USING gin (to_tsvector('simple', body));

-- Who sits at the desk, on whichever server.
CREATE TABLE chat_agents (
    staff_id  bigint PRIMARY KEY REFERENCES staff (id),
    seen_at   timestamptz NOT NULL,
    accepting boolean     NOT NULL DEFAULT true
);

-- Prepared answers, a row a language.
CREATE TABLE chat_replies (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug       text        NOT NULL CHECK (slug ~ '^[a-z0-9-]{2,40}$'),
    language   text        NOT NULL,
    category   text        NOT NULL,
    body       text        NOT NULL CHECK (length(body) BETWEEN 1 AND 4000),
    version    int         NOT NULL DEFAULT 1,
    changed_by bigint REFERENCES staff (id),
    changed_at timestamptz NOT NULL,
    removed_at timestamptz
);
CREATE UNIQUE INDEX chat_replies_slug ON chat_replies (slug, language) WHERE removed_at IS NULL;

-- When agents work, a row a day; no row at all means always. Minutes since midnight in the zone.
CREATE TABLE chat_hours (
    weekday int  PRIMARY KEY CHECK (weekday BETWEEN 0 AND 6),
    opens   int  NOT NULL CHECK (opens BETWEEN 0 AND 1439),
    closes  int  NOT NULL CHECK (closes BETWEEN 1 AND 1440),
    zone    text NOT NULL,
    CHECK (opens < closes)
);

-- What the product refused a trader, so that support finds what a person tells of; the newest only.
CREATE TABLE refusals (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint      NOT NULL REFERENCES traders (id),
    code      text        NOT NULL,
    call      text        NOT NULL,
    trace_id  text        NOT NULL,
    at        timestamptz NOT NULL
);
CREATE INDEX refusals_trader ON refusals (trader_id, id DESC);
CREATE INDEX refusals_at ON refusals (at);

-- +goose Down
DROP TABLE refusals, chat_hours, chat_replies, chat_agents, chat_messages, chat_pictures, conversations;
