-- How traders get in: sessions, one-time codes, and the limits of guessing.
-- +goose Up
-- Sessions of traders: the token is kept hashed, and is bound to one account. Besides it there may be the fresh one that nobody has used yet, and the one before
-- it, for requests that are still under way.
CREATE TABLE trader_sessions (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash   bytea       NOT NULL UNIQUE,
    trader_id    bigint      NOT NULL REFERENCES traders(id),
    account_id   bigint      NOT NULL REFERENCES accounts(id),
    device_id    bigint      NOT NULL REFERENCES devices(id),
    ip           text        NOT NULL,
    browser      text        NOT NULL DEFAULT '', -- and system, at the log-in
    country      text        NOT NULL DEFAULT '', -- of the address at the log-in, ISO 3166-1 alpha-2; empty when unknown
    city         text        NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    ended_at     timestamptz,
    next_hash    bytea       UNIQUE,
    old_hash     bytea       UNIQUE,
    old_until    timestamptz,
    renewed_at   timestamptz,
    CONSTRAINT trader_sessions_old CHECK ((old_hash IS NULL) = (old_until IS NULL))
);
CREATE INDEX trader_sessions_trader ON trader_sessions (trader_id) WHERE ended_at IS NULL;

-- One-time codes are kept hashed and counted before they are compared.
CREATE TABLE codes (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    purpose        text        NOT NULL,
    address        text        NOT NULL,
    hash           bytea       NOT NULL,
    tries          smallint    NOT NULL DEFAULT 0,
    expires_at     timestamptz NOT NULL,
    used_at        timestamptz,
    created_at     timestamptz NOT NULL,
    own            boolean     NOT NULL DEFAULT true,
    source         text        NOT NULL DEFAULT '',
    stranger_tries int         NOT NULL DEFAULT 0,
    session_id     bigint      REFERENCES trader_sessions(id) ON DELETE CASCADE, -- that made a log-in link, which ends with it
    trader_id      bigint      REFERENCES traders(id), -- whose code it is, where several traders may ask for one of the same address
    CONSTRAINT codes_link CHECK ((purpose = 'link') = (session_id IS NOT NULL))
);
CREATE INDEX codes_address ON codes (address, purpose, created_at DESC);
CREATE INDEX codes_link_hash ON codes (hash) WHERE purpose = 'link';
CREATE INDEX codes_session ON codes (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX codes_trader ON codes (trader_id) WHERE trader_id IS NOT NULL;

CREATE TABLE code_requests (
    address text        NOT NULL,
    purpose text        NOT NULL,
    source  text        NOT NULL,
    tries   int         NOT NULL DEFAULT 0,
    at      timestamptz NOT NULL,
    CONSTRAINT code_requests_pkey PRIMARY KEY (address, purpose, source)
);
CREATE INDEX code_requests_at ON code_requests (at);

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
    CONSTRAINT wrong_logins_pkey PRIMARY KEY (source, account)
);
CREATE INDEX wrong_logins_at ON wrong_logins (at);

-- Texts that Ethereum wallets are asked to sign. Each is for a log-in from one device, or for a link to one account, and counts once.
CREATE TABLE wallet_texts (
    id         bytea       PRIMARY KEY CHECK (octet_length(id) = 16), -- also the nonce of the text
    address    text        NOT NULL CHECK (address ~ '^0x[0-9a-f]{40}$'),
    text       text        NOT NULL,
    trader_id  bigint      REFERENCES traders(id),
    act        text        NOT NULL DEFAULT '', -- of the trader, that the signature confirms
    device     bytea       CHECK (octet_length(device) = 32), -- its fingerprint
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    CONSTRAINT wallet_texts_aim CHECK (num_nonnulls(trader_id, device) = 1)
);
CREATE INDEX wallet_texts_expiry ON wallet_texts (expires_at);

-- +goose Down
DROP TABLE wallet_texts, wrong_logins, solved_challenges, challenge_keys, code_requests, codes, trader_sessions;
