-- Settings of the platform, and their changes by two people.
-- +goose Up
CREATE TABLE switches (
    key        text        PRIMARY KEY,
    value      text        NOT NULL,
    version    int         NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT now(),
    rules      jsonb       NOT NULL DEFAULT '[]'::jsonb -- other values for some countries, languages and platforms
);

CREATE TABLE switch_changes (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key          text        NOT NULL,
    kind         text        NOT NULL CHECK (kind IN ('planned', 'stop')),
    state        text        NOT NULL CHECK (state IN ('draft', 'in_review', 'scheduled', 'applied', 'failed', 'cancelled', 'rejected')),
    sensitive    boolean     NOT NULL,
    base_version int         NOT NULL, -- of the key, when the change was written
    was          jsonb       NOT NULL,
    becomes      jsonb       NOT NULL,
    reason       text        NOT NULL CHECK (reason <> ''),
    apply_at     timestamptz,
    zone         text        NOT NULL, -- in which the moment was chosen
    author_id    bigint      NOT NULL REFERENCES staff(id), -- who wrote its newest form
    created_at   timestamptz NOT NULL,
    decider_id   bigint      REFERENCES staff(id),
    decided_at   timestamptz,
    refusal      text        NOT NULL DEFAULT '',
    applied_at   timestamptz,
    to_version   int,
    revert_of    int,
    review_due   timestamptz,
    reviewer_id  bigint      REFERENCES staff(id),
    reviewed_at  timestamptz,
    verdict      text        CHECK (verdict IN ('right', 'wrong')),
    review_note  text        NOT NULL DEFAULT '',
    version      int         NOT NULL,
    closed_at    timestamptz,
    closer_id    bigint      REFERENCES staff(id),
    CONSTRAINT switch_changes_check CHECK ((state = 'applied') = (applied_at IS NOT NULL)),
    CONSTRAINT switch_changes_check1 CHECK ((applied_at IS NULL) = (to_version IS NULL)),
    CONSTRAINT switch_changes_check2 CHECK ((state <> 'scheduled') OR (apply_at IS NOT NULL)),
    CONSTRAINT switch_changes_check3 CHECK ((decider_id IS NULL) OR (decider_id <> author_id)),
    CONSTRAINT switch_changes_check4 CHECK ((reviewer_id IS NULL) OR (reviewer_id <> author_id)),
    CONSTRAINT switch_changes_check5 CHECK ((NOT sensitive) OR (kind = 'stop') OR (state NOT IN ('scheduled', 'applied')) OR (decider_id IS NOT NULL)),
    CONSTRAINT switch_changes_check6 CHECK ((kind = 'stop') = (review_due IS NOT NULL)),
    CONSTRAINT switch_changes_check7 CHECK ((verdict IS NULL) OR (kind = 'stop')),
    CONSTRAINT switch_changes_closed CHECK ((state IN ('rejected', 'cancelled', 'failed')) = (closed_at IS NOT NULL))
);
CREATE UNIQUE INDEX switch_changes_open ON switch_changes (key) WHERE state IN ('in_review', 'scheduled');
CREATE UNIQUE INDEX switch_changes_version ON switch_changes (key, to_version) WHERE to_version IS NOT NULL;
CREATE INDEX switch_changes_key ON switch_changes (key, id DESC);
CREATE INDEX switch_changes_due ON switch_changes (apply_at) WHERE state = 'scheduled';
CREATE INDEX switch_changes_under_way ON switch_changes (id) WHERE (state IN ('draft', 'in_review', 'scheduled')) OR ((kind = 'stop') AND (verdict IS NULL));
CREATE INDEX switch_changes_applied ON switch_changes (applied_at DESC, id DESC) WHERE applied_at IS NOT NULL;

-- +goose Down
DROP TABLE switch_changes, switches;
