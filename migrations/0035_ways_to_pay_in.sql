-- Deposits come in four ways: by bank; through a provider's page (third party); to a merchant over the counter; as coins to an address (standard). What a provider
-- says is booked once; what was credited and taken back stays to be seen.
-- +goose Up
ALTER TABLE pay_channels
    DROP CONSTRAINT pay_channels_kind_check,
    ALTER COLUMN bank SET DEFAULT '', ALTER COLUMN holder SET DEFAULT '', ALTER COLUMN iban SET DEFAULT '', ALTER COLUMN bic SET DEFAULT '',
    ADD COLUMN provider text NOT NULL DEFAULT '',
    ADD COLUMN coin     text NOT NULL DEFAULT '',
    ADD COLUMN chain    text NOT NULL DEFAULT '',
    ADD CHECK (kind IN ('bank', 'third_party', 'otc', 'standard')),
    ADD CHECK ((kind = 'bank') = (provider = '')),
    ADD CHECK ((kind = 'bank') = (iban <> '')),
    ADD CHECK ((kind = 'standard') = (coin <> '' AND chain <> ''));

-- An address at a custodian that reaches one account, for good.
CREATE TABLE deposit_addresses (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id  bigint      NOT NULL REFERENCES traders (id),
    account_id bigint      NOT NULL REFERENCES accounts (id),
    channel_id int         NOT NULL REFERENCES pay_channels (id),
    reference  text        NOT NULL UNIQUE,
    address    text        NOT NULL, -- empty until the provider has answered
    memo       text        NOT NULL DEFAULT '',
    asked_at   timestamptz,          -- when the provider was last asked what has arrived
    created_at timestamptz NOT NULL,
    UNIQUE (trader_id, channel_id)
);
CREATE UNIQUE INDEX deposit_addresses_address ON deposit_addresses (channel_id, address, memo) WHERE address <> '';
CREATE INDEX deposit_addresses_asked ON deposit_addresses (asked_at NULLS FIRST, id);

ALTER TABLE deposits
    DROP CONSTRAINT deposits_kind_check,
    DROP CONSTRAINT deposits_state_check,
    DROP CONSTRAINT deposits_check1,
    ALTER COLUMN expires_at DROP NOT NULL,
    ADD COLUMN provider     text NOT NULL DEFAULT '',
    ADD COLUMN pay_url      text NOT NULL DEFAULT '', -- third party: where the trader pays
    ADD COLUMN merchant     text NOT NULL DEFAULT '', -- over the counter: whom the trader pays
    ADD COLUMN merchant_bank text NOT NULL DEFAULT '',
    ADD COLUMN merchant_account text NOT NULL DEFAULT '',
    ADD COLUMN appeal       text NOT NULL DEFAULT '', -- what the trader says
    ADD COLUMN address_id   bigint REFERENCES deposit_addresses (id),
    ADD COLUMN transfer     text,                     -- the provider's id of what reached the address
    ADD COLUMN tx_hash      text NOT NULL DEFAULT '',
    ADD COLUMN confirmations int NOT NULL DEFAULT 0,
    ADD COLUMN required     int  NOT NULL DEFAULT 0,
    ADD COLUMN asked_at     timestamptz,              -- when the provider was last asked
    ADD COLUMN reversal_id  bigint REFERENCES ledger_transactions (id),
    ADD COLUMN reversed_by  bigint REFERENCES staff (id), -- who asked for the reversal
    ADD COLUMN moved_at     timestamptz,
    ADD CHECK (kind IN ('bank', 'third_party', 'otc', 'standard')),
    ADD CHECK (state IN ('awaiting_transfer', 'proof_submitted', 'in_review', 'more_info', 'approved', 'credited', 'rejected', 'expired', 'cancelled',
                         'created', 'redirected', 'provider_pending', 'provider_unknown', 'failed', 'charged_back',
                         'awaiting_payment', 'marked_paid', 'appeal',
                         'detected', 'confirmed', 'aml_hold', 'below_min', 'wrong_asset', 'dropped', 'refunding', 'refunded', 'reversed')),
    ADD CHECK ((state IN ('credited', 'charged_back', 'reversed')) = (transaction_id IS NOT NULL)),
    ADD CHECK ((state IN ('charged_back', 'reversed')) = (reversal_id IS NOT NULL)),
    ADD CHECK ((kind = 'bank') = (provider = '')),
    ADD CHECK ((kind = 'standard') = (transfer IS NOT NULL AND address_id IS NOT NULL)),
    ADD CHECK (kind = 'standard' OR expires_at IS NOT NULL);
CREATE UNIQUE INDEX deposits_transfer ON deposits (provider, transfer) WHERE transfer IS NOT NULL;
CREATE INDEX deposits_open ON deposits (asked_at NULLS FIRST, id)
    WHERE state IN ('created', 'redirected', 'provider_pending', 'provider_unknown', 'awaiting_payment', 'marked_paid', 'appeal', 'detected', 'confirmed');

-- +goose Down
ALTER TABLE deposits
    DROP COLUMN provider, DROP COLUMN pay_url, DROP COLUMN merchant, DROP COLUMN merchant_bank, DROP COLUMN merchant_account, DROP COLUMN appeal,
    DROP COLUMN address_id, DROP COLUMN transfer, DROP COLUMN tx_hash, DROP COLUMN confirmations, DROP COLUMN required, DROP COLUMN asked_at,
    DROP COLUMN reversal_id, DROP COLUMN reversed_by, DROP COLUMN moved_at, DROP CONSTRAINT deposits_kind_check, DROP CONSTRAINT deposits_state_check,
    ADD CHECK (kind IN ('bank')),
    ADD CHECK (state IN ('awaiting_transfer', 'proof_submitted', 'in_review', 'more_info', 'approved', 'credited', 'rejected', 'expired', 'cancelled')),
    ADD CHECK ((state = 'credited') = (transaction_id IS NOT NULL));
DROP TABLE deposit_addresses;
ALTER TABLE pay_channels DROP COLUMN provider, DROP COLUMN coin, DROP COLUMN chain, DROP CONSTRAINT IF EXISTS pay_channels_kind_check, ADD CHECK (kind IN ('bank'));
