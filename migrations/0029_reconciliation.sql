-- Every minute it is proved anew that the ledger, the balances and the open requests say the same. While they don't, no money goes out.
-- +goose Up
CREATE TABLE reconciliations (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL,
    took_ms     int         NOT NULL,
    proved      bigint      NOT NULL, -- postings
    wrong_table text,
    wrong_row   text,
    wrong_what  text,
    CHECK ((wrong_table IS NULL) = (wrong_what IS NULL) AND (wrong_row IS NULL) = (wrong_what IS NULL))
);
CREATE TABLE money_out_stops (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reconciliation_id bigint      NOT NULL REFERENCES reconciliations (id),
    at                timestamptz NOT NULL,
    ended_at          timestamptz,
    ended_by          bigint REFERENCES staff (id),
    CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);
CREATE UNIQUE INDEX money_out_stops_living ON money_out_stops ((true)) WHERE ended_at IS NULL;

-- +goose Down
DROP TABLE money_out_stops, reconciliations;
