-- What a reader has read or confirmed names its revision, and an item says from which one on that counts: what is told again waits for everybody anew.
-- +goose Up
ALTER TABLE notice_items ADD COLUMN told_from int NOT NULL DEFAULT 1 CHECK (told_from > 0); -- marks of earlier revisions do not count
ALTER TABLE notice_revisions ADD COLUMN again boolean NOT NULL DEFAULT false; -- everybody is told again when it is shown

ALTER TABLE notice_reach ADD COLUMN revision int; -- that was seen last
UPDATE notice_reach m SET revision = coalesce((SELECT max(number) FROM notice_revisions r WHERE r.item_id = m.item_id AND r.live_at <= m.last_at), 1);
ALTER TABLE notice_reach ALTER COLUMN revision SET NOT NULL;

CREATE TABLE notice_acks (
    item_id  bigint      NOT NULL,
    viewer   text        NOT NULL,
    revision int         NOT NULL,
    at       timestamptz NOT NULL,
    PRIMARY KEY (item_id, viewer, revision),
    FOREIGN KEY (item_id, viewer) REFERENCES notice_reach (item_id, viewer),
    FOREIGN KEY (item_id, revision) REFERENCES notice_revisions (item_id, number)
);
INSERT INTO notice_acks (item_id, viewer, revision, at)
SELECT m.item_id, m.viewer, coalesce((SELECT max(number) FROM notice_revisions r WHERE r.item_id = m.item_id AND r.live_at <= m.acked_at), 1), m.acked_at
FROM notice_reach m WHERE m.acked_at IS NOT NULL;
ALTER TABLE notice_reach DROP COLUMN acked_at;

ALTER TABLE notice_reads ADD COLUMN revision int;
UPDATE notice_reads m SET revision = coalesce((SELECT max(number) FROM notice_revisions r WHERE r.item_id = m.item_id AND r.live_at <= m.read_at), 1);
ALTER TABLE notice_reads DROP CONSTRAINT notice_reads_pkey, ADD PRIMARY KEY (trader_id, item_id, revision);

-- +goose Down
DELETE FROM notice_reads m WHERE EXISTS (SELECT 1 FROM notice_reads o WHERE o.trader_id = m.trader_id AND o.item_id = m.item_id AND o.revision > m.revision);
ALTER TABLE notice_reads DROP CONSTRAINT notice_reads_pkey, ADD PRIMARY KEY (trader_id, item_id), DROP COLUMN revision;
ALTER TABLE notice_reach ADD COLUMN acked_at timestamptz, DROP COLUMN revision;
UPDATE notice_reach m SET acked_at = (SELECT min(at) FROM notice_acks a WHERE a.item_id = m.item_id AND a.viewer = m.viewer);
DROP TABLE notice_acks;
ALTER TABLE notice_revisions DROP COLUMN again;
ALTER TABLE notice_items DROP COLUMN told_from;
