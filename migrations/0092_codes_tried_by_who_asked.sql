-- A stranger tries codes only while their source has asked for one, which costs a solved challenge: nobody uses up the tries of a code for nothing. What
-- strangers try of a code that went to its owner is counted apart, so that the owner's own tries are left.
-- +goose Up
CREATE TABLE code_requests (
    address text        NOT NULL,
    purpose text        NOT NULL,
    source  text        NOT NULL,
    tries   int         NOT NULL DEFAULT 0,
    at      timestamptz NOT NULL,
    PRIMARY KEY (address, purpose, source)
);
CREATE INDEX code_requests_at ON code_requests (at);
ALTER TABLE codes ADD COLUMN stranger_tries int NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE codes DROP COLUMN stranger_tries;
DROP TABLE code_requests;
