-- Work that members of staff hand to each other, and the notes in which they name a colleague.
-- +goose Up
CREATE TYPE task_state AS ENUM ('cancelled', 'declined', 'done', 'open', 'taken');
CREATE TYPE task_team AS ENUM ('compliance', 'finance', 'risk', 'support');
CREATE TYPE task_priority AS ENUM ('high', 'normal', 'urgent');
CREATE TYPE task_subject AS ENUM ('adjustment', 'conversation', 'deposit', 'identity', 'trader', 'withdrawal');
CREATE TYPE mention_place AS ENUM ('conversation', 'trader');
CREATE CAST (text AS task_state) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS task_team) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS task_priority) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS task_subject) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS mention_place) WITH INOUT AS ASSIGNMENT;

CREATE TABLE tasks (
    id           bigint        GENERATED ALWAYS AS IDENTITY (START WITH 3001) PRIMARY KEY,
    title        text          NOT NULL CHECK (title <> ''),
    note         text          NOT NULL,
    subject_kind task_subject  NOT NULL,
    subject_id   bigint        NOT NULL CHECK (subject_id > 0), -- of another domain's row
    trader_id    bigint        REFERENCES traders(id), -- whom it concerns; none for a conversation with a visitor
    team         task_team, -- the task is for a team or for one colleague
    assignee_id  bigint        REFERENCES staff(id),
    priority     task_priority NOT NULL,
    due_at       timestamptz   NOT NULL,
    state        task_state    NOT NULL DEFAULT 'open',
    asked_by     bigint        NOT NULL REFERENCES staff(id),
    asked_at     timestamptz   NOT NULL,
    key          text          NOT NULL, -- of the form
    taken_by     bigint        REFERENCES staff(id),
    taken_at     timestamptz,
    ended_by     bigint        REFERENCES staff(id),
    ended_at     timestamptz,
    outcome      text          NOT NULL DEFAULT '', -- what was done, or why it was declined
    version      int           NOT NULL DEFAULT 1,
    CONSTRAINT tasks_key UNIQUE (asked_by, key),
    CONSTRAINT tasks_one_addressee CHECK ((team IS NULL) <> (assignee_id IS NULL)),
    CONSTRAINT tasks_taken CHECK (((state <> 'taken') OR (taken_by IS NOT NULL)) AND ((state <> 'open') OR (taken_by IS NULL)) AND ((taken_by IS NULL) = (taken_at IS NULL))),
    CONSTRAINT tasks_ended CHECK (((state = 'open') OR (state = 'taken')) = (ended_at IS NULL) AND ((ended_by IS NULL) = (ended_at IS NULL))),
    CONSTRAINT tasks_outcome CHECK ((outcome <> '') = ((state = 'done') OR (state = 'declined')))
);
CREATE INDEX tasks_open ON tasks (due_at, id) WHERE (state = 'open') OR (state = 'taken');
CREATE INDEX tasks_ended_list ON tasks (id DESC) WHERE (state <> 'open') AND (state <> 'taken');
CREATE INDEX tasks_trader ON tasks (trader_id, id DESC) WHERE trader_id IS NOT NULL;
CREATE INDEX tasks_subject ON tasks (subject_kind, subject_id, id DESC);

CREATE TABLE task_comments (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    task_id   bigint      NOT NULL REFERENCES tasks(id),
    author_id bigint      NOT NULL REFERENCES staff(id),
    text      text        NOT NULL CHECK (text <> ''),
    at        timestamptz NOT NULL
);
CREATE INDEX task_comments_task ON task_comments (task_id, id);

CREATE TABLE mentions (
    id       bigint        GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    staff_id bigint        NOT NULL REFERENCES staff(id), -- who is named
    by_id    bigint        NOT NULL REFERENCES staff(id),
    place    mention_place NOT NULL,
    place_id bigint        NOT NULL CHECK (place_id > 0), -- of the conversation or the trader
    note_id  bigint        NOT NULL CHECK (note_id > 0), -- of the message or the note
    text     text          NOT NULL CHECK (text <> ''), -- of the note, which never changes
    at       timestamptz   NOT NULL,
    read_at  timestamptz,
    CONSTRAINT mentions_once UNIQUE (place, note_id, staff_id)
);
CREATE INDEX mentions_of ON mentions (staff_id, id DESC);
CREATE INDEX mentions_unread ON mentions (staff_id) WHERE read_at IS NULL;

-- +goose Down
DROP TABLE mentions, task_comments, tasks;
DROP CAST (text AS task_state);
DROP CAST (text AS task_team);
DROP CAST (text AS task_priority);
DROP CAST (text AS task_subject);
DROP CAST (text AS mention_place);
DROP TYPE task_state;
DROP TYPE task_team;
DROP TYPE task_priority;
DROP TYPE task_subject;
DROP TYPE mention_place;
