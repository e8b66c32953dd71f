-- What the firms that move money for the house have told us: each event once, whatever they send how often and in which order. An event is only a reason to ask;
-- what is booked is what the firm's signed answer says.
-- +goose Up
CREATE TABLE provider_events (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider   text        NOT NULL,
    event      text        NOT NULL, -- the provider's id of it
    kind       text        NOT NULL CHECK (kind IN ('payment', 'transfer', 'payout')),
    reference  text        NOT NULL, -- what it is about
    body       text        NOT NULL,
    state      text        NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'done')),
    outcome    text        NOT NULL DEFAULT '', -- what came of it, in a word
    at         timestamptz NOT NULL,
    done_at    timestamptz,
    UNIQUE (provider, event),
    CHECK ((state = 'done') = (done_at IS NOT NULL))
);
CREATE INDEX provider_events_reference ON provider_events (reference, id);
CREATE INDEX provider_events_new ON provider_events (id) WHERE state = 'new';

-- +goose Down
DROP TABLE provider_events;
