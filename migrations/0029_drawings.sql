-- What traders draw on charts, the same on all of their devices.
-- +goose Up
-- Of two changes of a drawing the newest wins. A deleted one stays for a while, so that a device that was offline doesn't bring it back, and another one can undo.
CREATE TABLE drawings (
    trader_id  bigint      NOT NULL REFERENCES traders(id),
    id         text        NOT NULL CHECK (id ~ '^[0-9a-f]{32}$'), -- chosen by the device that drew it
    product_id int         NOT NULL REFERENCES products(id),
    tool       text        NOT NULL CHECK (char_length(tool) BETWEEN 1 AND 40),
    anchors    jsonb       NOT NULL CHECK (octet_length(anchors::text) <= 65536), -- [{"At": Unix ms, "Price": decimal}]
    style      jsonb       NOT NULL CHECK (octet_length(style::text) <= 1024),
    note       text        NOT NULL DEFAULT '' CHECK (char_length(note) <= 500),
    locked     boolean     NOT NULL DEFAULT false,
    hidden     boolean     NOT NULL DEFAULT false,
    version    int         NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL, -- when the trader changed it, never later than the server's clock
    deleted_at timestamptz, -- by the server's clock
    CONSTRAINT drawings_pkey PRIMARY KEY (trader_id, id)
);
CREATE INDEX drawings_product ON drawings (trader_id, product_id);
CREATE INDEX drawings_deleted ON drawings (deleted_at) WHERE deleted_at IS NOT NULL;

-- One that the trader deleted is removed after a while, the others when the account closes.
-- +goose StatementBegin
CREATE FUNCTION drawings_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM public.traders WHERE id = OLD.trader_id AND told_at IS NOT NULL AND closed_at IS NULL) THEN
        RAISE EXCEPTION 'drawing % is not deleted', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END $$;
-- +goose StatementEnd
CREATE TRIGGER drawings_keep BEFORE DELETE ON drawings FOR EACH ROW EXECUTE FUNCTION drawings_keep();

-- +goose Down
DROP TABLE drawings;
DROP FUNCTION drawings_keep;
