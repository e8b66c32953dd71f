-- Conversations of customers with agents.
-- +goose Up
CREATE TYPE conversation_state AS ENUM ('closed', 'offline_message', 'open', 'queued', 'resolved', 'snoozed', 'waiting_customer');
CREATE TYPE conversation_priority AS ENUM ('normal', 'high', 'urgent'); -- in their order
CREATE TYPE chat_ending AS ENUM ('none', 'resolve', 'snooze', 'transfer');
CREATE TYPE chat_target AS ENUM ('first_reply', 'next_reply', 'resolution');
CREATE TYPE chat_call_direction AS ENUM ('in', 'out');
CREATE TYPE chat_author AS ENUM ('agent', 'customer', 'system');
CREATE TYPE chat_message_kind AS ENUM ('call', 'card', 'event', 'mail', 'note', 'picture', 'text');
CREATE CAST (text AS conversation_state) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS conversation_priority) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS chat_ending) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS chat_target) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS chat_call_direction) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS chat_author) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS chat_message_kind) WITH INOUT AS ASSIGNMENT;

-- +goose StatementBegin
CREATE FUNCTION chat_pairs(words text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 10000
RETURN (SELECT COALESCE(array_agg(DISTINCT pairs.pair), '{}'::text[]) AS "coalesce" FROM (SELECT (list.sign || lead(list.sign) OVER (ORDER BY list.place)) AS pair FROM unnest(string_to_array(translate(lower(chat_pairs.words), E'\n\r\t'::text, '   '::text), NULL::text)) WITH ORDINALITY list(sign, place)) pairs WHERE (pairs.pair !~~ '% %'::text));
-- +goose StatementEnd

CREATE TABLE conversations (
    id              bigint             GENERATED ALWAYS AS IDENTITY (START WITH 88001) PRIMARY KEY,
    trader_id       bigint             REFERENCES traders(id),
    visitor         uuid, -- of the device that writes without an account
    from_ip         text               NOT NULL DEFAULT '',
    language        text               NOT NULL,
    state           conversation_state NOT NULL,
    agent_id        bigint             REFERENCES staff(id),
    waiting_since   timestamptz, -- since when a message of the customer is not answered
    answered_at     timestamptz, -- when an agent first answered
    answered_in     int                CHECK (answered_in >= 0), -- seconds of support hours that the customer waited for it
    answered_late   boolean            NOT NULL DEFAULT false,
    snoozed_until   timestamptz,
    resolved_at     timestamptz,
    resolved_by     bigint             REFERENCES staff(id),
    resolved_in     int                CHECK (resolved_in >= 0), -- seconds of support hours since the beginning or the last reopening
    resolved_late   boolean            NOT NULL DEFAULT false,
    reopened_at     timestamptz,
    priority        conversation_priority NOT NULL DEFAULT 'normal',
    labels          text               NOT NULL DEFAULT '', -- with commas between them
    last_message_id bigint             NOT NULL DEFAULT 0, -- the newest that both sides may read
    customer_got    bigint             NOT NULL DEFAULT 0, -- the newest message that reached the customer's app
    customer_read   bigint             NOT NULL DEFAULT 0,
    agent_got       bigint             NOT NULL DEFAULT 0, -- the newest message that reached an agent's page
    agent_read      bigint             NOT NULL DEFAULT 0,
    rating          int                CHECK ((rating >= 1) AND (rating <= 5)),
    rated_at        timestamptz, -- also where the rating was skipped
    version         int                NOT NULL DEFAULT 1,
    created_at      timestamptz        NOT NULL,
    moved_at        timestamptz        NOT NULL,
    woken_at        timestamptz,
    transcript_at   timestamptz, -- when its trader last had it mailed
    zone            text               NOT NULL DEFAULT '', -- of the IANA list; empty while nobody knows
    CONSTRAINT conversations_check CHECK ((trader_id IS NULL) <> (visitor IS NULL)),
    CONSTRAINT conversations_check1 CHECK ((state NOT IN ('open', 'waiting_customer', 'snoozed')) OR (agent_id IS NOT NULL)),
    CONSTRAINT conversations_check2 CHECK ((state = 'snoozed') = (snoozed_until IS NOT NULL)),
    CONSTRAINT conversations_check3 CHECK ((state NOT IN ('resolved', 'closed')) OR (resolved_at IS NOT NULL))
);
CREATE UNIQUE INDEX conversations_trader ON conversations (trader_id) WHERE state <> 'closed';
CREATE UNIQUE INDEX conversations_visitor ON conversations (visitor) WHERE state <> 'closed';
CREATE INDEX conversations_waiting ON conversations (waiting_since, id) WHERE state NOT IN ('resolved', 'closed');
CREATE INDEX conversations_agent ON conversations (agent_id, state) WHERE state NOT IN ('resolved', 'closed');
CREATE INDEX conversations_of_trader ON conversations (trader_id, id DESC);
CREATE INDEX conversations_created ON conversations (created_at);
CREATE INDEX conversations_from ON conversations (from_ip, created_at) WHERE visitor IS NOT NULL;
CREATE INDEX conversations_resolved ON conversations (resolved_at) WHERE state = 'resolved';
CREATE INDEX conversations_answered ON conversations (answered_at DESC) WHERE answered_at IS NOT NULL;
CREATE INDEX conversations_moved ON conversations (moved_at DESC, id DESC);
CREATE INDEX conversations_of_visitor ON conversations (visitor, id DESC) WHERE visitor IS NOT NULL;

CREATE TABLE chat_pictures (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL UNIQUE, -- random; the only name a browser sees
    trader_id  bigint      REFERENCES traders(id),
    visitor    uuid,
    staff_id   bigint      REFERENCES staff(id),
    width      int         NOT NULL,
    height     int         NOT NULL,
    size       int         NOT NULL,
    pages      int         NOT NULL DEFAULT 0 CHECK (pages >= 0), -- of the PDF whose first pages it shows; 0 for a picture
    created_at timestamptz NOT NULL,
    CONSTRAINT chat_pictures_check CHECK (num_nonnulls(trader_id, visitor, staff_id) = 1)
);

CREATE TABLE chat_messages (
    id              bigint            GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    conversation_id bigint            NOT NULL REFERENCES conversations(id),
    client_id       uuid              NOT NULL,
    author          chat_author       NOT NULL,
    staff_id        bigint            REFERENCES staff(id),
    kind            chat_message_kind NOT NULL,
    private         boolean           NOT NULL, -- stays at the desk
    body            text              NOT NULL CHECK (length(body) <= 4000),
    masked          boolean           NOT NULL DEFAULT false,
    picture         text              REFERENCES chat_pictures(name),
    card_kind       text              NOT NULL DEFAULT '',
    card_id         bigint,
    subject         text              NOT NULL DEFAULT '' CHECK (length(subject) <= 150), -- of a mail
    mail_id         bigint            REFERENCES outbox(id),
    direction       chat_call_direction, -- of a call
    minutes         int               CHECK (minutes BETWEEN 0 AND 600), -- of a call
    at              timestamptz       NOT NULL,
    CONSTRAINT chat_messages_check CHECK ((author <> 'agent') OR (staff_id IS NOT NULL)),
    CONSTRAINT chat_messages_check1 CHECK ((kind <> 'note') OR ((author = 'agent') AND private)),
    CONSTRAINT chat_messages_check2 CHECK ((kind = 'picture') = (picture IS NOT NULL)),
    CONSTRAINT chat_messages_check3 CHECK ((kind = 'card') = (card_id IS NOT NULL)),
    CONSTRAINT chat_messages_mail CHECK ((kind = 'mail') = (mail_id IS NOT NULL) AND (kind = 'mail') = (subject <> '') AND (kind <> 'mail' OR private AND author = 'agent')),
    CONSTRAINT chat_messages_call CHECK ((kind = 'call') = (direction IS NOT NULL) AND (kind = 'call') = (minutes IS NOT NULL) AND (kind <> 'call' OR private AND author = 'agent')),
    CONSTRAINT chat_messages_conversation_id_client_id_key UNIQUE (conversation_id, client_id)
);
CREATE INDEX chat_messages_thread ON chat_messages (conversation_id, id);
CREATE INDEX chat_messages_mails ON chat_messages (staff_id, at) WHERE kind = 'mail';
CREATE INDEX chat_messages_starts ON chat_messages (staff_id, at) WHERE kind = 'event' AND body = 'chat.start';
CREATE INDEX chat_messages_rated ON chat_messages (at) WHERE (kind = 'event') AND (body ~~ 'chat.rated.%');
CREATE INDEX chat_messages_pairs ON chat_messages USING gin (chat_pairs(body)) WHERE kind <> 'event';

CREATE TABLE chat_uploads (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL UNIQUE, -- random; the only name a browser sees
    trader_id  bigint      REFERENCES traders(id),
    visitor    uuid,
    staff_id   bigint      REFERENCES staff(id),
    from_ip    text        NOT NULL DEFAULT '',
    width      int         NOT NULL,
    height     int         NOT NULL,
    size       int         NOT NULL,
    pages      int         NOT NULL DEFAULT 0 CHECK (pages >= 0), -- of the PDF whose first pages it shows; 0 for a picture
    created_at timestamptz NOT NULL,
    CONSTRAINT chat_uploads_check CHECK (num_nonnulls(trader_id, visitor, staff_id) = 1)
);
CREATE INDEX chat_uploads_created ON chat_uploads (created_at);
CREATE INDEX chat_uploads_from ON chat_uploads (from_ip, created_at) WHERE from_ip <> '';

-- Who sits at the desk, on whichever server.
CREATE TABLE chat_agents (
    staff_id  bigint      PRIMARY KEY REFERENCES staff(id),
    seen_at   timestamptz NOT NULL,
    accepting boolean     NOT NULL DEFAULT false, -- their own switch; a sign-in turns it off
    languages text        NOT NULL DEFAULT '' -- with commas between them; "any" stands for those that nobody on shift speaks
);

-- Prepared answers, a row a language.
CREATE TABLE chat_replies (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    slug       text        NOT NULL CHECK (slug ~ '^[a-z0-9-]{2,40}$'),
    language   text        NOT NULL,
    category   text        NOT NULL,
    body       text        NOT NULL CHECK ((length(body) >= 1) AND (length(body) <= 4000)),
    version    int         NOT NULL DEFAULT 1,
    changed_by bigint      REFERENCES staff(id),
    changed_at timestamptz NOT NULL,
    removed_at timestamptz
);
CREATE UNIQUE INDEX chat_replies_slug ON chat_replies (slug, language) WHERE removed_at IS NULL;

-- Macros: what an agent does to a conversation at once, in the order of the columns.
CREATE TABLE chat_macros (
    id          bigint                GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text                  NOT NULL CHECK ((length(name) >= 1) AND (length(name) <= 60)),
    key         int                   CHECK ((key >= 1) AND (key <= 9)), -- that runs it
    reply       text                  NOT NULL DEFAULT '', -- the name of a prepared answer
    priority    conversation_priority, -- none leaves it
    labels      text                  NOT NULL DEFAULT '', -- that are added, with commas between them
    ending      chat_ending           NOT NULL,
    snooze      text                  NOT NULL DEFAULT '',
    transfer_to bigint                REFERENCES staff(id), -- none is the queue
    version     int                   NOT NULL DEFAULT 1,
    changed_by  bigint                REFERENCES staff(id),
    changed_at  timestamptz           NOT NULL,
    removed_at  timestamptz,
    CONSTRAINT chat_macros_snooze CHECK ((ending = 'snooze') = (snooze <> '')),
    CONSTRAINT chat_macros_transfer CHECK ((ending = 'transfer') OR (transfer_to IS NULL)),
    CONSTRAINT chat_macros_steps CHECK ((reply <> '') OR (priority IS NOT NULL) OR (labels <> '') OR (ending <> 'none'))
);
CREATE UNIQUE INDEX chat_macros_name ON chat_macros (lower(name)) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX chat_macros_key ON chat_macros (key) WHERE removed_at IS NULL;

-- Support hours, a row a span; a language without any has those of the empty language, and none at all means always. Minutes since midnight in the zone.
CREATE TABLE chat_hours (
    language text NOT NULL DEFAULT '',
    zone     text NOT NULL,
    weekday  int  NOT NULL CHECK ((weekday >= 0) AND (weekday <= 6)),
    opens    int  NOT NULL CHECK ((opens >= 0) AND (opens <= 1439)),
    closes   int  NOT NULL CHECK ((closes >= 1) AND (closes <= 1440)),
    CONSTRAINT chat_hours_check CHECK (opens < closes),
    CONSTRAINT chat_hours_pkey PRIMARY KEY (language, weekday, opens)
);

-- Dates whose hours differ from those of their weekday, a row a span; one row without a span where support is closed all day.
CREATE TABLE chat_holidays (
    language text NOT NULL DEFAULT '',
    day      date NOT NULL,
    name     text NOT NULL CHECK ((length(name) >= 1) AND (length(name) <= 60)),
    opens    int  CHECK ((opens >= 0) AND (opens <= 1439)),
    closes   int  CHECK ((closes >= 1) AND (closes <= 1440)),
    CONSTRAINT chat_holidays_check CHECK ((opens IS NULL) = (closes IS NULL)),
    CONSTRAINT chat_holidays_check1 CHECK (opens < closes),
    CONSTRAINT chat_holidays_key UNIQUE NULLS NOT DISTINCT (language, day, opens)
);

-- Service times in seconds of support hours, three rows a priority, 0 without a target; a language without any has those of the empty language.
CREATE TABLE chat_service_times (
    language text                  NOT NULL DEFAULT '',
    priority conversation_priority NOT NULL,
    target   chat_target           NOT NULL,
    seconds  int                   NOT NULL CHECK (seconds >= 0),
    CONSTRAINT chat_service_times_pkey PRIMARY KEY (language, priority, target)
);

-- +goose StatementBegin
CREATE FUNCTION conversations_keep_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.trader_id IS NOT NULL OR NEW.visitor IS NOT NULL THEN
        RAISE EXCEPTION 'conversation % is another customer''s', OLD.id USING ERRCODE = '23514';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER conversations_keep_customer BEFORE UPDATE OF trader_id, visitor ON conversations FOR EACH ROW WHEN (((old.trader_id IS DISTINCT FROM new.trader_id) OR (old.visitor IS DISTINCT FROM new.visitor))) EXECUTE FUNCTION conversations_keep_customer();

-- +goose Down
DROP TABLE chat_macros, chat_service_times, chat_holidays, chat_hours, chat_replies, chat_agents, chat_uploads, chat_messages, chat_pictures, conversations;
DROP FUNCTION chat_pairs(text);
DROP FUNCTION conversations_keep_customer();
DROP CAST (text AS conversation_state);
DROP CAST (text AS chat_call_direction);
DROP CAST (text AS conversation_priority);
DROP CAST (text AS chat_ending);
DROP CAST (text AS chat_target);
DROP CAST (text AS chat_author);
DROP CAST (text AS chat_message_kind);
DROP TYPE conversation_state;
DROP TYPE chat_call_direction;
DROP TYPE conversation_priority;
DROP TYPE chat_ending;
DROP TYPE chat_target;
DROP TYPE chat_author;
DROP TYPE chat_message_kind;
