-- Words of staff about traders, to find and group them. Traders never see them, and no rule reads them.
-- +goose Up
CREATE TYPE tag_colour AS ENUM ('grey', 'violet', 'blue', 'green', 'amber', 'red');
CREATE CAST (text AS tag_colour) WITH INOUT AS ASSIGNMENT;

CREATE TABLE tags (
    id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text        NOT NULL CHECK (name <> ''),
    colour     tag_colour  NOT NULL,
    made_by    bigint      NOT NULL REFERENCES staff(id),
    made_at    timestamptz NOT NULL,
    retired_at timestamptz, -- it is no longer put on anybody
    version    int         NOT NULL CHECK (version > 0)
);
CREATE UNIQUE INDEX tags_name ON tags (lower(name));

CREATE TABLE trader_tags (
    id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint      NOT NULL REFERENCES traders(id),
    tag_id    bigint      NOT NULL REFERENCES tags(id),
    put_by    bigint      NOT NULL REFERENCES staff(id),
    put_at    timestamptz NOT NULL,
    taken_by  bigint      REFERENCES staff(id),
    taken_at  timestamptz,
    CHECK ((taken_by IS NULL) = (taken_at IS NULL))
);
CREATE UNIQUE INDEX trader_tags_on ON trader_tags (trader_id, tag_id) WHERE taken_at IS NULL;
CREATE INDEX trader_tags_tag ON trader_tags (tag_id, trader_id DESC) WHERE taken_at IS NULL;

-- +goose Down
DROP TABLE trader_tags, tags;
DROP CAST (text AS tag_colour);
DROP TYPE tag_colour;
