-- Configuration keys and feature switches, named once in code with type, bounds and default; a row holds the value in force.
-- +goose Up
CREATE TABLE switches (
    key        text PRIMARY KEY,
    value      text        NOT NULL,
    version    int         NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE banners (
    id       int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    place    text    NOT NULL CHECK (place IN ('home')),
    title    text    NOT NULL, -- locale keys of the app, so that a banner speaks all languages
    body     text    NOT NULL,
    link     text    NOT NULL,
    sort     int     NOT NULL,
    enabled  boolean NOT NULL
);
INSERT INTO banners (place, title, body, link, sort, enabled) VALUES
    ('home', 'banner.proof.title', 'banner.proof.body', '/quotes', 1, true),
    ('home', 'banner.demo.title', 'banner.demo.body', '/switchAccount', 2, true);

-- +goose Down
DROP TABLE banners, switches;
