-- Settings of the platform, and their changes by two people.
-- +goose Up
CREATE TABLE switches (
    key        text        PRIMARY KEY,
    value      text        NOT NULL,
    version    int         NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT now(),
    rules      jsonb       NOT NULL DEFAULT '[]'::jsonb -- other values for some countries, languages and platforms
);

CREATE TYPE switch_change_kind AS ENUM ('planned', 'stop');
CREATE TYPE stop_verdict AS ENUM ('right', 'wrong');
CREATE CAST (text AS switch_change_kind) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS stop_verdict) WITH INOUT AS ASSIGNMENT;

-- What staff wrote. A draft names no approval; the state of any other is that of its newest one.
CREATE TABLE switch_changes (
    id           bigint             GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key          text               NOT NULL,
    kind         switch_change_kind NOT NULL,
    base_version int                NOT NULL, -- of the key, when the change was written
    was          jsonb              NOT NULL,
    becomes      jsonb              NOT NULL,
    reason       text               NOT NULL CHECK (reason <> ''),
    apply_at     timestamptz,
    zone         text               NOT NULL, -- in which the moment was chosen
    author_id    bigint             NOT NULL REFERENCES staff(id), -- who wrote its newest form
    created_at   timestamptz        NOT NULL,
    approval     bigint             UNIQUE REFERENCES approvals(id),
    applied_at   timestamptz,
    to_version   int,
    closed_at    timestamptz, -- without effect
    revert_of    int,
    review_due   timestamptz,
    reviewer_id  bigint             REFERENCES staff(id),
    reviewed_at  timestamptz,
    verdict      stop_verdict,
    review_note  text               NOT NULL DEFAULT '',
    version      int                NOT NULL,
    CONSTRAINT switch_changes_applied CHECK ((applied_at IS NULL) = (to_version IS NULL)),
    CONSTRAINT switch_changes_closed CHECK ((applied_at IS NULL) OR (closed_at IS NULL)),
    CONSTRAINT switch_changes_stop CHECK ((kind = 'stop') = (review_due IS NOT NULL)),
    CONSTRAINT switch_changes_verdict CHECK ((verdict IS NULL) OR (kind = 'stop')),
    CONSTRAINT switch_changes_reviewer CHECK ((reviewer_id IS NULL) OR (reviewer_id <> author_id))
);
CREATE UNIQUE INDEX switch_changes_version ON switch_changes (key, to_version) WHERE to_version IS NOT NULL;
CREATE INDEX switch_changes_key ON switch_changes (key, id DESC);
CREATE INDEX switch_changes_under_way ON switch_changes (id) WHERE ((applied_at IS NULL) AND (closed_at IS NULL)) OR ((kind = 'stop') AND (verdict IS NULL));
CREATE TRIGGER switch_changes_approved BEFORE INSERT OR UPDATE ON switch_changes FOR EACH ROW WHEN (NEW.applied_at IS NOT NULL)
    EXECUTE FUNCTION must_be_approved('approval', 'switch_change', 'key');

-- +goose Down
DROP TABLE switch_changes, switches;
DROP CAST (text AS switch_change_kind);
DROP CAST (text AS stop_verdict);
DROP TYPE switch_change_kind;
DROP TYPE stop_verdict;
