-- Second factors of traders and of staff: authenticators, passkeys and recovery codes.
-- +goose Up
CREATE TABLE factor_owners (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint UNIQUE REFERENCES traders(id),
    staff_id  bigint UNIQUE REFERENCES staff(id),
    handle    bytea  NOT NULL UNIQUE CHECK (octet_length(handle) = 64), -- by which a passkey names its owner
    CONSTRAINT factor_owners_one CHECK (num_nonnulls(trader_id, staff_id) = 1)
);

CREATE TABLE authenticators (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id      bigint      NOT NULL REFERENCES factor_owners(id),
    secret_key    bytea,
    secret_sealed bytea       NOT NULL,
    step          bigint      NOT NULL DEFAULT 0, -- the last step used, so that a code works once
    created_at    timestamptz NOT NULL,
    confirmed_at  timestamptz -- none while it is only offered
);
CREATE UNIQUE INDEX authenticators_used ON authenticators (owner_id) WHERE confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX authenticators_offered ON authenticators (owner_id) WHERE confirmed_at IS NULL;

CREATE TABLE passkeys (
    id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner_id      bigint      NOT NULL REFERENCES factor_owners(id),
    credential_id bytea       NOT NULL UNIQUE,
    credential    jsonb       NOT NULL, -- the credential record of the Web Authentication specification
    name          text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz
);
CREATE INDEX passkeys_owner ON passkeys (owner_id, id);

CREATE TABLE recovery_codes (
    owner_id bigint NOT NULL REFERENCES factor_owners(id),
    hash     bytea  NOT NULL CHECK (octet_length(hash) = 32),
    used_at  timestamptz,
    CONSTRAINT recovery_codes_pkey PRIMARY KEY (owner_id, hash)
);

-- Challenges of passkeys that were answered: each counts once.
CREATE TABLE passkey_challenges (
    id         bytea       PRIMARY KEY CHECK (octet_length(id) = 16),
    expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- +goose Down
DROP TABLE passkey_challenges, recovery_codes, passkeys, authenticators, factor_owners;
