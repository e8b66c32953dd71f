-- Several servers, one feed: whoever leads has a term, and quotes of a former leader are not written any more.
-- +goose Up
CREATE TABLE feed_terms (
    term     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    server   text        NOT NULL,
    began_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE feed_terms;
