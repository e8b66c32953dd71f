-- A stranger who asks for codes to somebody's address uses up nothing that its owner needs: codes know who asked for them, and are counted apart.
-- +goose Up
ALTER TABLE codes ADD COLUMN own boolean NOT NULL DEFAULT true, ADD COLUMN source text NOT NULL DEFAULT '';

-- What a visitor has solved counts once. The key signs what they are to solve; every server uses the same.
CREATE TABLE challenge_keys (
    id  int   PRIMARY KEY CHECK (id = 1),
    key bytea NOT NULL CHECK (octet_length(key) = 32)
);
CREATE TABLE solved_challenges (
    id         bytea       PRIMARY KEY CHECK (octet_length(id) = 16),
    expires_at timestamptz NOT NULL
);
CREATE INDEX solved_challenges_expiry ON solved_challenges (expires_at);

-- Accounts that a source has tried a wrong password of lately.
CREATE TABLE wrong_logins (
    source  text        NOT NULL,
    account bytea       NOT NULL, -- the hash of the address that was typed
    at      timestamptz NOT NULL,
    PRIMARY KEY (source, account)
);
CREATE INDEX wrong_logins_at ON wrong_logins (at);

-- +goose Down
DROP TABLE wrong_logins, solved_challenges, challenge_keys;
ALTER TABLE codes DROP COLUMN own, DROP COLUMN source;
