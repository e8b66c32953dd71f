-- What is published: notices, news, banners, and who has read them.
-- +goose Up
CREATE TYPE notice_kind AS ENUM ('banner', 'faq', 'news', 'notice', 'page', 'popup');
CREATE TYPE notice_state AS ENUM ('archived', 'draft', 'expired', 'live', 'replaced', 'submitted', 'unpublished');
CREATE TYPE notice_severity AS ENUM ('danger', 'info', 'warning');
CREATE TYPE notice_audience AS ENUM ('all', 'guests', 'traders', 'verified');
CREATE TYPE notice_frequency AS ENUM ('daily', 'every_login', 'once');
CREATE TYPE notice_shape AS ENUM ('16:9', '2:1');
CREATE TYPE message_category AS ENUM ('charges', 'identity', 'margin', 'money', 'orders', 'protection', 'security');
CREATE CAST (text AS notice_kind) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS notice_state) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS notice_severity) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS notice_audience) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS notice_frequency) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS notice_shape) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS message_category) WITH INOUT AS ASSIGNMENT;

CREATE TABLE notice_images (
    hash       bytea        PRIMARY KEY CHECK (length(hash) = 32),
    shape      notice_shape NOT NULL,
    bytes      bytea        NOT NULL CHECK ((length(bytes) >= 1) AND (length(bytes) <= 307200)),
    staff_id   bigint       NOT NULL REFERENCES staff(id), -- who put it in first
    created_at timestamptz  NOT NULL
);

CREATE TABLE notice_items (
    id         bigint      GENERATED ALWAYS AS IDENTITY (START WITH 2001) PRIMARY KEY,
    kind       notice_kind NOT NULL,
    key        text        CHECK (key <> '') UNIQUE, -- of pages, which the app asks for by name, and of what the product starts with
    sort       int         NOT NULL CHECK ((sort >= 0) AND (sort <= 9999)),
    live_id    bigint, -- the revision that traders see
    version    int         NOT NULL,
    created_at timestamptz NOT NULL,
    told_from  int         NOT NULL DEFAULT 1 CHECK (told_from > 0), -- marks of earlier revisions do not count
    CONSTRAINT notice_items_check CHECK ((kind <> 'page') OR (key IS NOT NULL))
);

CREATE TABLE notice_revisions (
    id         bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item_id    bigint           NOT NULL REFERENCES notice_items(id),
    number     int              NOT NULL CHECK (number > 0),
    state      notice_state     NOT NULL,
    category   text             NOT NULL,
    placement  text             NOT NULL,
    severity   notice_severity  NOT NULL,
    audience   notice_audience  NOT NULL,
    countries  text[]           NOT NULL, -- none is every one
    languages  text[]           NOT NULL,
    platforms  text[]           NOT NULL,
    starts_at  timestamptz,
    ends_at    timestamptz,
    zone       text             NOT NULL, -- in which the moments were chosen
    sticky     boolean          NOT NULL,
    link       text             NOT NULL,
    source     text             NOT NULL, -- of news
    frequency  notice_frequency NOT NULL,
    must_ack   boolean          NOT NULL, -- a pop-up that is closed only by saying that it was read
    image      bytea            REFERENCES notice_images(hash),
    author_id  bigint           REFERENCES staff(id), -- who wrote its newest form; nobody of what the product came with
    authors    bigint[]         NOT NULL, -- everybody who wrote at it
    created_at timestamptz      NOT NULL,
    changed_at timestamptz      NOT NULL,
    approval   bigint           UNIQUE REFERENCES approvals(id), -- its newest request
    again      boolean          NOT NULL DEFAULT false, -- everybody is told again when it is shown
    reason     text             NOT NULL DEFAULT '', -- why it was taken down
    live_at    timestamptz,
    ended_at   timestamptz,
    CONSTRAINT notice_revisions_check CHECK (ends_at > starts_at),
    CONSTRAINT notice_revisions_check1 CHECK ((state <> 'submitted') OR (approval IS NOT NULL)),
    CONSTRAINT notice_revisions_check2 CHECK ((author_id IS NULL) = (authors = '{}')),
    CONSTRAINT notice_revisions_check3 CHECK ((state NOT IN ('live', 'expired', 'unpublished', 'replaced')) OR (live_at IS NOT NULL)),
    CONSTRAINT notice_revisions_item_id_number_key UNIQUE (item_id, number),
    CONSTRAINT notice_revisions_item_id_id_key UNIQUE (item_id, id)
);
CREATE UNIQUE INDEX notice_revisions_under_way ON notice_revisions (item_id) WHERE state IN ('draft', 'submitted');
CREATE UNIQUE INDEX notice_revisions_live ON notice_revisions (item_id) WHERE state = 'live';
CREATE INDEX notice_revisions_edited ON notice_revisions (changed_at, item_id); -- the order of the back office's list
CREATE INDEX notice_revisions_end ON notice_revisions (ends_at) WHERE state = 'live';
ALTER TABLE notice_items ADD CONSTRAINT notice_items_id_live_id_fkey FOREIGN KEY (id, live_id) REFERENCES notice_revisions(item_id, id);

CREATE TABLE notice_variants (
    revision_id bigint      NOT NULL REFERENCES notice_revisions(id),
    locale      text        NOT NULL CHECK (locale ~ '^[a-z]{2}(_[A-Za-z]{2})?$'),
    title       text        NOT NULL CHECK (title <> ''),
    summary     text        NOT NULL, -- plain text
    body        text        NOT NULL, -- HTML of the few elements that are let through
    alt         text        NOT NULL, -- what the picture shows
    changed_at  timestamptz NOT NULL,
    CONSTRAINT notice_variants_pkey PRIMARY KEY (revision_id, locale)
);

CREATE TABLE notice_reads (
    trader_id bigint      NOT NULL REFERENCES traders(id),
    item_id   bigint      NOT NULL REFERENCES notice_items(id),
    read_at   timestamptz NOT NULL,
    revision  int         NOT NULL,
    CONSTRAINT notice_reads_pkey PRIMARY KEY (trader_id, item_id, revision)
);

-- Who was reached: a trader by id, a visitor by the hash of what the app calls the device, which says nothing else.
CREATE TABLE notice_reach (
    item_id    bigint      NOT NULL REFERENCES notice_items(id),
    viewer     text        NOT NULL,
    first_at   timestamptz NOT NULL,
    last_at    timestamptz NOT NULL,
    session_id bigint      NOT NULL, -- in which it was seen last; 0 of a visitor
    clicks     int         NOT NULL CHECK (clicks >= 0),
    helpful    boolean, -- what was answered to the question whether it helped
    revision   int         NOT NULL, -- that was seen last
    CONSTRAINT notice_reach_pkey PRIMARY KEY (item_id, viewer)
);

CREATE TABLE notice_acks (
    item_id  bigint      NOT NULL,
    viewer   text        NOT NULL,
    revision int         NOT NULL,
    at       timestamptz NOT NULL,
    CONSTRAINT notice_acks_pkey PRIMARY KEY (item_id, viewer, revision),
    CONSTRAINT notice_acks_item_id_viewer_fkey FOREIGN KEY (item_id, viewer) REFERENCES notice_reach(item_id, viewer),
    CONSTRAINT notice_acks_item_id_revision_fkey FOREIGN KEY (item_id, revision) REFERENCES notice_revisions(item_id, number)
);

CREATE TABLE user_messages (
    id        bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trader_id bigint           NOT NULL REFERENCES traders(id),
    category  message_category NOT NULL,
    key       text             NOT NULL CHECK (key ~ '^[a-z_.]+$'), -- of the app's texts
    args      jsonb            NOT NULL,
    cause     text             NOT NULL, -- the event that it tells, which is told once
    at        timestamptz      NOT NULL,
    read_at   timestamptz,
    in_app    boolean          NOT NULL, -- a message that is only mailed is here too, so that it is mailed once
    CONSTRAINT user_messages_trader_id_cause_key UNIQUE (trader_id, cause)
);
CREATE INDEX user_messages_list ON user_messages (trader_id, id DESC) WHERE in_app;
CREATE INDEX user_messages_category ON user_messages (trader_id, category, id DESC) WHERE in_app;
CREATE INDEX user_messages_unread ON user_messages (trader_id) WHERE in_app AND read_at IS NULL;

-- How a trader receives the messages of a category; without a row, as the category's default says.
CREATE TABLE notification_settings (
    trader_id bigint           NOT NULL REFERENCES traders(id),
    category  message_category NOT NULL,
    in_app    boolean          NOT NULL,
    mail      boolean          NOT NULL,
    CONSTRAINT notification_settings_pkey PRIMARY KEY (trader_id, category),
    CONSTRAINT notification_settings_always CHECK ((category NOT IN ('margin', 'security')) OR (in_app AND mail)),
    CONSTRAINT notification_settings_in_app CHECK (in_app OR (category IN ('charges', 'orders', 'protection')))
);

-- The last transaction of the trading journal whose messages are written.
CREATE TABLE activity_cursor (
    one boolean NOT NULL DEFAULT true PRIMARY KEY CHECK (one),
    xid xid8    NOT NULL
);

-- Two banners of the home page are published from the start.
INSERT INTO notice_items (kind, key, sort, version, created_at) VALUES ('banner', 'banner.demo.title', 2, 1, now()), ('banner', 'banner.proof.title', 1, 1, now());
INSERT INTO notice_revisions (item_id, number, state, category, placement, severity, audience, countries, languages, platforms, zone, sticky, link, source, frequency,
    must_ack, authors, created_at, changed_at, live_at)
SELECT id, 1, 'live', 'general', 'home', 'info', 'all', '{}', '{}', '{}', 'UTC', false, CASE key WHEN 'banner.proof.title' THEN '/proof' ELSE '/switchAccount' END, '', 'once',
    false, '{}', now(), now(), now()
FROM notice_items ORDER BY id;
INSERT INTO notice_variants (revision_id, locale, title, summary, body, alt, changed_at)
SELECT r.id, t.locale, t.title, t.summary, '', '', now()
FROM notice_items i JOIN notice_revisions r ON r.item_id = i.id JOIN (VALUES
    ('banner.proof.title', 'en', 'Every fill has a proof', 'Open any receipt: the quote, the rule and the sums behind your price.'),
    ('banner.proof.title', 'zh_CN', '每笔成交都有证明', '打开任一凭证：成交价背后的报价、规则与计算一目了然。'),
    ('banner.proof.title', 'ar', 'لكل صفقة إثبات', 'افتح أي إيصال: عرض السعر والقاعدة والحسابات وراء سعرك.'),
    ('banner.demo.title', 'en', 'Practise first', 'A demo account with the same engine and the same proofs.'),
    ('banner.demo.title', 'zh_CN', '先练习', '模拟账户使用相同的引擎与相同的证明。'),
    ('banner.demo.title', 'ar', 'تدرّب أولًا', 'حساب تجريبي بالمحرك نفسه والإثباتات نفسها.')
) t (key, locale, title, summary) ON t.key = i.key;
UPDATE notice_items i SET live_id = r.id FROM notice_revisions r WHERE r.item_id = i.id;

-- What was agreed to stays as it was agreed to: a variant changes only while its revision is a draft.
-- +goose StatementBegin
CREATE FUNCTION notice_variants_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT state FROM notice_revisions WHERE id = coalesce(NEW.revision_id, OLD.revision_id)) <> 'draft' THEN
        RAISE EXCEPTION 'the texts of a revision that is no draft do not change' USING ERRCODE = '23514', CONSTRAINT = 'notice_variants_keep';
    END IF;
    RETURN coalesce(NEW, OLD);
END $$;
-- +goose StatementEnd
CREATE TRIGGER notice_variants_keep BEFORE INSERT OR DELETE OR UPDATE ON notice_variants FOR EACH ROW EXECUTE FUNCTION notice_variants_keep();

-- What the product came with has no author and needs no approval.
CREATE TRIGGER notice_revisions_approved BEFORE INSERT OR UPDATE ON notice_revisions FOR EACH ROW WHEN (NEW.state = 'live' AND NEW.author_id IS NOT NULL)
    EXECUTE FUNCTION must_be_approved('approval', 'content', 'item_id');

-- +goose Down
DROP TABLE activity_cursor, notification_settings, user_messages, notice_acks, notice_reach, notice_reads, notice_variants, notice_revisions, notice_items, notice_images;
DROP FUNCTION notice_variants_keep();
DROP CAST (text AS notice_kind);
DROP CAST (text AS notice_state);
DROP CAST (text AS notice_severity);
DROP CAST (text AS notice_audience);
DROP CAST (text AS notice_frequency);
DROP CAST (text AS notice_shape);
DROP CAST (text AS message_category);
DROP TYPE notice_kind;
DROP TYPE notice_state;
DROP TYPE notice_severity;
DROP TYPE notice_audience;
DROP TYPE notice_frequency;
DROP TYPE notice_shape;
DROP TYPE message_category;
