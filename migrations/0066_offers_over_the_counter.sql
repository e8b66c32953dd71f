-- A payment over the counter begins with an offer: how much the trader pays, in which currency, at which rate, and within which time the merchant confirms. The
-- trader agrees to it before being told whom to pay. What was told stays as it was told. Payments from before there were offers have none.
-- +goose Up
ALTER TABLE deposits
    ADD COLUMN offer_currency text   NOT NULL DEFAULT '',
    ADD COLUMN offer_amount   bigint NOT NULL DEFAULT 0, -- 10^-6 of the currency
    ADD COLUMN offer_rate     bigint NOT NULL DEFAULT 0, -- 10^-6 of the currency for one of the deposit's
    ADD COLUMN offer_release  int    NOT NULL DEFAULT 0, -- minutes
    ADD COLUMN agreed_at      timestamptz,
    ADD CONSTRAINT deposits_offer  CHECK ((offer_currency = '' AND offer_amount = 0 AND offer_rate = 0 AND offer_release = 0)
        OR (kind = 'otc' AND offer_currency <> '' AND offer_amount > 0 AND offer_rate > 0 AND offer_release > 0)),
    ADD CONSTRAINT deposits_agreed CHECK (agreed_at IS NULL OR offer_amount > 0);

-- +goose StatementBegin
CREATE FUNCTION deposits_keep_offer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.offer_currency, NEW.offer_amount, NEW.offer_rate, NEW.offer_release, NEW.merchant, NEW.merchant_bank, NEW.merchant_account)
        IS DISTINCT FROM (OLD.offer_currency, OLD.offer_amount, OLD.offer_rate, OLD.offer_release, OLD.merchant, OLD.merchant_bank, OLD.merchant_account)
        OR OLD.agreed_at IS NOT NULL AND NEW.agreed_at IS DISTINCT FROM OLD.agreed_at THEN
        RAISE EXCEPTION 'the offer of deposit % is what it was told as', OLD.id USING ERRCODE = '23514';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER deposits_keep_offer BEFORE UPDATE ON deposits FOR EACH ROW WHEN (OLD.offer_amount > 0) EXECUTE FUNCTION deposits_keep_offer();

-- +goose Down
DROP TRIGGER deposits_keep_offer ON deposits;
DROP FUNCTION deposits_keep_offer();
ALTER TABLE deposits DROP COLUMN offer_currency, DROP COLUMN offer_amount, DROP COLUMN offer_rate, DROP COLUMN offer_release, DROP COLUMN agreed_at;
