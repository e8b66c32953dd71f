-- What a product costs and allows stands in versions: two people agree on each, it takes effect later, for every trader alike, and none ever changes.
-- What a product is (its currencies, decimals, contract size and margin model) never changes at all: open positions are counted by it.
-- +goose Up
CREATE TABLE product_changes (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    product_id   int         NOT NULL REFERENCES products (id),
    kind         text        NOT NULL CHECK (kind IN ('terms', 'dividend')),
    base_version int         NOT NULL, -- the newest version when it was asked for
    proposal     jsonb       NOT NULL, -- the new terms, or the dividend
    reason       text        NOT NULL CHECK (reason <> ''),
    effective_at timestamptz NOT NULL, -- market time
    state        text        NOT NULL CHECK (state IN ('open', 'approved', 'refused', 'withdrawn')),
    version      int         NOT NULL DEFAULT 1,
    asked_by     bigint      NOT NULL REFERENCES staff (id),
    asked_at     timestamptz NOT NULL,
    decided_by   bigint REFERENCES staff (id),
    decided_at   timestamptz,
    CHECK ((state = 'open') = (decided_at IS NULL)),
    CHECK ((state = 'open') = (decided_by IS NULL)),
    CHECK (state <> 'approved' OR decided_by <> asked_by)
);
CREATE UNIQUE INDEX product_changes_open ON product_changes (product_id, kind) WHERE state = 'open';

CREATE TABLE product_terms (
    product_id         int         NOT NULL REFERENCES products (id),
    version            int         NOT NULL CHECK (version > 0),
    change_id          bigint UNIQUE REFERENCES product_changes (id),
    effective_at       timestamptz NOT NULL, -- market time
    mode               text        NOT NULL CHECK (mode IN ('full', 'close_only')),
    spread_markup      int         NOT NULL CHECK (spread_markup >= 0), -- points that the feed's spread is widened by
    lot_min            bigint      NOT NULL CHECK (lot_min > 0),
    lot_step           bigint      NOT NULL CHECK (lot_step > 0),
    lot_max            bigint      NOT NULL CHECK (lot_max >= lot_min),
    multiple           text        NOT NULL,
    tiers              text        NOT NULL, -- "10:100,50:50": leverage of the lots up to a volume; nothing limits what is beyond the last
    hedged_ratio_bps   int         NOT NULL CHECK (hedged_ratio_bps BETWEEN 0 AND 10000),
    commission_per_lot bigint      NOT NULL CHECK (commission_per_lot >= 0),
    commission_bps     int         NOT NULL CHECK (commission_bps BETWEEN 0 AND 1000),
    commission_min     bigint      NOT NULL CHECK (commission_min >= 0),
    stop_level         int         NOT NULL CHECK (stop_level >= 0),
    stale_ms           int         NOT NULL CHECK (stale_ms > 0),
    spike_bps          int         NOT NULL CHECK (spike_bps > 0),
    swap_model         text        NOT NULL CHECK (swap_model IN ('none', 'points', 'money', 'percent')),
    swap_long          bigint      NOT NULL, -- 10^-6 points, 10^-6 USDT a lot, or 10^-6 percent a year; positive is received
    swap_short         bigint      NOT NULL,
    triple_day         smallint CHECK (triple_day BETWEEN 1 AND 5), -- weekday of three nights; NULL charges each day for itself
    PRIMARY KEY (product_id, version),
    CHECK ((version = 1) = (change_id IS NULL))
);
INSERT INTO product_terms
SELECT id, 1, NULL, 'epoch', 'full', 0, lot_min, lot_step, lot_max, multiple, '', hedged_ratio_bps, commission_per_lot, commission_bps, commission_min,
       stop_level, stale_ms, spike_bps, 'none', 0, 0, NULL
FROM products;
ALTER TABLE products
    DROP COLUMN lot_min, DROP COLUMN lot_step, DROP COLUMN lot_max, DROP COLUMN multiple, DROP COLUMN hedged_ratio_bps, DROP COLUMN commission_per_lot,
    DROP COLUMN commission_bps, DROP COLUMN commission_min, DROP COLUMN stop_level, DROP COLUMN stale_ms, DROP COLUMN spike_bps, DROP COLUMN enabled,
    DROP COLUMN version;

CREATE TABLE dividends (
    product_id int    NOT NULL REFERENCES products (id),
    ex_date    date   NOT NULL,
    amount     bigint NOT NULL CHECK (amount > 0), -- 10^-6 of the quote currency for one unit of the product
    change_id  bigint NOT NULL UNIQUE REFERENCES product_changes (id),
    PRIMARY KEY (product_id, ex_date)
);

-- Terms and dividends come from a change that two people agreed on, word for word.
-- +goose StatementBegin
CREATE FUNCTION product_change_agreed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE agreed product_changes;
BEGIN
    IF NEW.change_id IS NULL THEN
        RETURN NEW; -- what a new product begins with: the first version alone may come from no change
    END IF;
    SELECT * INTO agreed FROM product_changes WHERE id = NEW.change_id;
    IF agreed.state IS DISTINCT FROM 'approved' OR agreed.product_id <> NEW.product_id OR (agreed.kind = 'terms') <> (TG_TABLE_NAME = 'product_terms') THEN
        RAISE EXCEPTION 'nobody agreed on this change of product %', NEW.product_id USING ERRCODE = '23514';
    END IF;
    IF NOT to_jsonb(NEW) @> agreed.proposal THEN
        RAISE EXCEPTION 'change % was agreed on in other words', agreed.id USING ERRCODE = '23514';
    END IF;
    IF agreed.kind = 'terms' THEN
        IF NEW.version <> agreed.base_version + 1 OR NEW.effective_at <> agreed.effective_at THEN
            RAISE EXCEPTION 'change % is of another version or moment', agreed.id USING ERRCODE = '23514';
        END IF;
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER product_terms_agreed BEFORE INSERT ON product_terms FOR EACH ROW EXECUTE FUNCTION product_change_agreed();
CREATE TRIGGER dividends_agreed BEFORE INSERT ON dividends FOR EACH ROW EXECUTE FUNCTION product_change_agreed();

-- What was asked for stays as it was asked for, and a decision is the last word.
-- +goose StatementBegin
CREATE FUNCTION product_changes_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.state <> 'open' OR (NEW.product_id, NEW.kind, NEW.base_version, NEW.proposal, NEW.reason, NEW.effective_at, NEW.asked_by, NEW.asked_at)
        IS DISTINCT FROM (OLD.product_id, OLD.kind, OLD.base_version, OLD.proposal, OLD.reason, OLD.effective_at, OLD.asked_by, OLD.asked_at) THEN
        RAISE EXCEPTION 'change % stays as it is', OLD.id USING ERRCODE = '23514';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER product_changes_keep BEFORE UPDATE ON product_changes FOR EACH ROW EXECUTE FUNCTION product_changes_keep();

-- The highest leverage by class and country of residence; an empty country is every other one. The server can't write it.
CREATE TABLE leverage_caps (
    class   text NOT NULL,
    country text NOT NULL,
    maximum int  NOT NULL CHECK (maximum > 0),
    PRIMARY KEY (class, country)
);
-- Retail limits of the European Economic Area (ESMA decisions 2018/795 and 2018/796, kept in national law), of the United Kingdom (FCA PS19/18)
-- and of Australia (ASIC 2020/986), each by class at the level of its major products.
INSERT INTO leverage_caps
SELECT class, country, maximum
FROM unnest(ARRAY['AT','BE','BG','HR','CY','CZ','DK','EE','FI','FR','DE','GR','HU','IS','IE','IT','LV','LI','LT','LU','MT','NL','NO','PL','PT','RO','SK','SI','ES','SE','GB','AU']) country,
     (VALUES ('forex', 30), ('metal', 20), ('index', 20), ('us_stock', 5), ('crypto', 2), ('contract', 5)) caps (class, maximum);

-- Each fill is counted by the terms that were in force.
ALTER TABLE fills
    ADD COLUMN terms int NOT NULL DEFAULT 1,
    ADD FOREIGN KEY (product_id, terms) REFERENCES product_terms (product_id, version);
ALTER TABLE fills ALTER COLUMN terms DROP DEFAULT;

-- +goose Down
ALTER TABLE fills DROP COLUMN terms;
DROP TABLE leverage_caps, dividends;
ALTER TABLE products
    ADD COLUMN lot_min bigint NOT NULL DEFAULT 1, ADD COLUMN lot_step bigint NOT NULL DEFAULT 1, ADD COLUMN lot_max bigint NOT NULL DEFAULT 1,
    ADD COLUMN multiple text NOT NULL DEFAULT '', ADD COLUMN hedged_ratio_bps int NOT NULL DEFAULT 5000, ADD COLUMN commission_per_lot bigint NOT NULL DEFAULT 0,
    ADD COLUMN commission_bps int NOT NULL DEFAULT 0, ADD COLUMN commission_min bigint NOT NULL DEFAULT 0, ADD COLUMN stop_level int NOT NULL DEFAULT 0,
    ADD COLUMN stale_ms int NOT NULL DEFAULT 1, ADD COLUMN spike_bps int NOT NULL DEFAULT 1, ADD COLUMN enabled boolean NOT NULL DEFAULT true,
    ADD COLUMN version int NOT NULL DEFAULT 1;
UPDATE products p SET lot_min = t.lot_min, lot_step = t.lot_step, lot_max = t.lot_max, multiple = t.multiple, hedged_ratio_bps = t.hedged_ratio_bps,
    commission_per_lot = t.commission_per_lot, commission_bps = t.commission_bps, commission_min = t.commission_min, stop_level = t.stop_level,
    stale_ms = t.stale_ms, spike_bps = t.spike_bps
FROM product_terms t WHERE t.product_id = p.id AND t.version = 1;
DROP TABLE product_terms, product_changes;
DROP FUNCTION product_change_agreed, product_changes_keep;
