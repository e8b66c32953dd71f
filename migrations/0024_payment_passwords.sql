-- The payment password that money out asks for, with its own count of wrong tries, and the times in which changes to an account's security hold
-- money back. A guest has neither.
-- +goose Up
CREATE TABLE payment_passwords (
    trader_id    bigint PRIMARY KEY,
    guest        boolean     NOT NULL GENERATED ALWAYS AS (false) STORED,
    hash         text        NOT NULL,
    failures     smallint    NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 5),
    locked_until timestamptz,
    changed_at   timestamptz NOT NULL,
    version      bigint      NOT NULL DEFAULT 1,
    FOREIGN KEY (trader_id, guest) REFERENCES traders (id, guest),
    CHECK (locked_until IS NULL OR failures = 5)
);

CREATE TABLE money_out_holds (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint      NOT NULL,
    guest     boolean     NOT NULL GENERATED ALWAYS AS (false) STORED,
    reason    text        NOT NULL CHECK (reason IN
        ('payment_password_reset', 'payment_password_change', 'password_change', 'contact_change', 'new_device', 'authenticator_change')),
    from_at   timestamptz NOT NULL,
    until_at  timestamptz NOT NULL,
    FOREIGN KEY (trader_id, guest) REFERENCES traders (id, guest),
    CHECK (until_at > from_at)
);
CREATE INDEX money_out_holds_trader ON money_out_holds (trader_id, until_at DESC);

-- +goose Down
DROP TABLE money_out_holds, payment_passwords;
