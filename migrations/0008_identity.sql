-- Who a trader is: applications, documents, and who looked at them.
-- +goose Up
CREATE TYPE kyc_state AS ENUM ('approved', 'draft', 'escalated', 'expiring', 'in_review', 'rejected_final', 'resubmission_required', 'reverify_required',
    'revoked', 'submitted');
CREATE TYPE kyc_document_type AS ENUM ('driving_licence', 'id_card', 'passport');
CREATE TYPE kyc_proposal AS ENUM ('approve', 'look');
CREATE TYPE kyc_side AS ENUM ('back', 'front', 'selfie');
CREATE TYPE kyc_outcome AS ENUM ('approved', 'asked', 'rejected');
CREATE TYPE kyc_decision AS ENUM ('accepted', 'pending', 'refused');
CREATE CAST (text AS kyc_state) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS kyc_document_type) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS kyc_proposal) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS kyc_side) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS kyc_decision) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS kyc_outcome) WITH INOUT AS ASSIGNMENT;

CREATE TABLE kyc_applications (
    id              bigint            GENERATED ALWAYS AS IDENTITY (START WITH 30001) PRIMARY KEY,
    trader_id       bigint            NOT NULL REFERENCES traders(id),
    attempt         smallint          NOT NULL DEFAULT 0 CHECK ((attempt >= 0) AND (attempt <= 3)), -- how often it was submitted
    state           kyc_state         NOT NULL,
    country         text              CHECK (country ~ '^[A-Z]{2}$'),
    document_type   kyc_document_type,
    name_key        bytea,
    name_sealed     bytea,
    number_key      bytea,
    number_sealed   bytea,
    birth_key       bytea,
    birth_sealed    bytea,
    expiry_key      bytea,
    expiry_sealed   bytea,
    number_hash     bytea,
    data_attempt    smallint          NOT NULL DEFAULT 0, -- the attempt that the data was typed for
    data_reason     text, -- why the data is asked for again
    level           smallint          NOT NULL DEFAULT 0 CHECK ((level >= 0) AND (level <= 2)),
    risks           text              NOT NULL DEFAULT '', -- codes with commas between them
    claimed_by      bigint            REFERENCES staff(id),
    claimed_until   timestamptz,
    maker_id        bigint            REFERENCES staff(id),
    lead_id         bigint            REFERENCES staff(id),
    asked_by        bigint            REFERENCES staff(id), -- who asked for something again the last time
    proposal        kyc_proposal, -- what the maker asks of the second person
    public_reason   text, -- coded, the trader reads its translation
    internal_reason text, -- coded, for staff alone
    note            text              NOT NULL DEFAULT '', -- for staff alone
    version         int               NOT NULL DEFAULT 1,
    created_at      timestamptz       NOT NULL,
    submitted_at    timestamptz,
    decided_at      timestamptz,
    renew_on        date, -- the first day of the month after the document's last one
    kept_until      timestamptz, -- until when the limits stay though the document has expired
    shredded_at     timestamptz,
    level_approval  bigint            REFERENCES approvals(id), -- of the higher level, open or given
    level_asked_at  timestamptz,
    marks           text              NOT NULL DEFAULT '', -- field:mark with commas between them
    CONSTRAINT kyc_applications_check CHECK (maker_id <> lead_id),
    CONSTRAINT kyc_applications_check1 CHECK ((claimed_by IS NULL) = (claimed_until IS NULL)),
    CONSTRAINT kyc_applications_check3 CHECK ((state <> 'escalated') OR (maker_id IS NOT NULL)),
    CONSTRAINT kyc_applications_check4 CHECK ((state NOT IN ('approved', 'expiring')) OR ((level > 0) AND (num_nulls(maker_id, decided_at, renew_on) = 0))),
    CONSTRAINT kyc_applications_check5 CHECK ((state <> 'rejected_final') OR (num_nulls(maker_id, lead_id, decided_at, public_reason) = 0)),
    CONSTRAINT kyc_applications_check2 CHECK ((state IN ('draft', 'resubmission_required')) OR ((shredded_at IS NOT NULL) AND (state IN ('revoked', 'rejected_final'))) OR ((num_nulls(country, document_type, name_key, number_key, birth_key, expiry_key, number_hash, submitted_at) = 0) AND (attempt > 0))),
    CONSTRAINT kyc_applications_check6 CHECK ((shredded_at IS NULL) OR (num_nonnulls(name_key, name_sealed, number_key, number_sealed, birth_key, birth_sealed, expiry_key, expiry_sealed, number_hash, claimed_by, renew_on) = 0)),
    CONSTRAINT kyc_applications_level_asked CHECK ((level_approval IS NULL) = (level_asked_at IS NULL)),
    CONSTRAINT kyc_applications_level_waits CHECK ((level_approval IS NULL) OR (level = 2) OR ((state = 'approved') AND (level = 1))),
    CONSTRAINT kyc_applications_level_granted CHECK ((level <> 2) OR (level_approval IS NOT NULL))
);
CREATE INDEX kyc_applications_trader ON kyc_applications (trader_id, id DESC);
CREATE UNIQUE INDEX kyc_applications_open ON kyc_applications (trader_id) WHERE state IN ('draft', 'submitted', 'in_review', 'escalated', 'resubmission_required');
CREATE INDEX kyc_applications_number ON kyc_applications (number_hash) WHERE number_hash IS NOT NULL;
CREATE INDEX kyc_applications_renew ON kyc_applications (renew_on) WHERE state IN ('approved', 'expiring', 'reverify_required');
CREATE INDEX kyc_applications_queue ON kyc_applications (COALESCE(level_asked_at, submitted_at), id) WHERE (state IN ('submitted', 'in_review', 'escalated')) OR ((level_approval IS NOT NULL) AND (level = 1));
CREATE INDEX kyc_applications_decided ON kyc_applications (COALESCE(decided_at, created_at) DESC, id DESC) WHERE state IN ('approved', 'expiring', 'reverify_required', 'rejected_final', 'revoked', 'resubmission_required');
CREATE TRIGGER kyc_applications_level_approved BEFORE INSERT OR UPDATE OF level, level_approval ON kyc_applications FOR EACH ROW WHEN (NEW.level = 2)
    EXECUTE FUNCTION must_be_approved('level_approval', 'identity_level', 'id');
-- A level that is only requested is not granted yet.
-- +goose StatementBegin
CREATE FUNCTION kyc_level_is_open() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT state FROM approvals WHERE id = NEW.level_approval) <> 'requested' THEN
        RAISE EXCEPTION 'the level of application % is decided', NEW.id USING ERRCODE = '23514';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER kyc_applications_level_open BEFORE INSERT OR UPDATE OF level, level_approval ON kyc_applications FOR EACH ROW
    WHEN ((NEW.level <> 2) AND (NEW.level_approval IS NOT NULL)) EXECUTE FUNCTION kyc_level_is_open();

-- The words of the name in an application, and their pairs, as keyed tags: a trader is found by name while the name stays sealed.
CREATE TABLE kyc_name_words (
    trader_id      bigint NOT NULL REFERENCES traders(id),
    application_id bigint NOT NULL REFERENCES kyc_applications(id),
    tag            bytea  NOT NULL CHECK (length(tag) = 32),
    CONSTRAINT kyc_name_words_pkey PRIMARY KEY (application_id, tag)
);
CREATE INDEX kyc_name_words_found ON kyc_name_words (tag, trader_id DESC, application_id DESC);

CREATE TABLE kyc_documents (
    id             bigint       GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    application_id bigint       NOT NULL REFERENCES kyc_applications(id),
    side           kyc_side     NOT NULL,
    attempt        smallint     NOT NULL CHECK ((attempt >= 1) AND (attempt <= 3)), -- the one that it was handed in for
    sealed_key     bytea, -- none once the picture is shredded
    file_name      text         NOT NULL UNIQUE, -- of the ciphertext
    width          int          NOT NULL,
    height         int          NOT NULL,
    picture_hash   bytea,
    decision       kyc_decision NOT NULL DEFAULT 'pending',
    reason         text,
    decided_by     bigint       REFERENCES staff(id),
    decided_at     timestamptz,
    current        boolean      NOT NULL DEFAULT true,
    replaced_by    bigint       REFERENCES kyc_documents(id),
    created_at     timestamptz  NOT NULL,
    CONSTRAINT kyc_documents_check CHECK ((decision = 'refused') = (reason IS NOT NULL)),
    CONSTRAINT kyc_documents_check1 CHECK ((decision = 'pending') = (decided_by IS NULL)),
    CONSTRAINT kyc_documents_check2 CHECK ((NOT current) OR ((sealed_key IS NOT NULL) AND (replaced_by IS NULL))),
    CONSTRAINT kyc_documents_check3 CHECK ((sealed_key IS NULL) OR (picture_hash IS NOT NULL))
);
CREATE UNIQUE INDEX kyc_documents_current ON kyc_documents (application_id, side) WHERE current;
CREATE INDEX kyc_documents_application ON kyc_documents (application_id, id);
CREATE INDEX kyc_documents_picture ON kyc_documents (picture_hash);

-- What the first person judged; the second one begins without it.
CREATE TABLE kyc_judgements (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    application_id bigint      NOT NULL REFERENCES kyc_applications(id),
    attempt        smallint    NOT NULL CHECK ((attempt >= 1) AND (attempt <= 3)),
    staff_id       bigint      NOT NULL REFERENCES staff(id),
    part           text        NOT NULL CHECK (part <> ''), -- a side, or a field of the data
    document_id    bigint      REFERENCES kyc_documents(id), -- none for a field
    verdict        text        NOT NULL,
    reason         text,
    judged_at      timestamptz NOT NULL,
    CONSTRAINT kyc_judgements_verdict CHECK (CASE WHEN document_id IS NULL THEN verdict IN ('differs', 'fits') ELSE verdict IN ('accepted', 'refused') END),
    CONSTRAINT kyc_judgements_reason CHECK ((verdict = 'refused') = (reason IS NOT NULL))
);
CREATE INDEX kyc_judgements_application ON kyc_judgements (application_id, id);

-- Decided applications that a lead reviews again without knowing the decision.
CREATE TABLE kyc_samples (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    application_id bigint      NOT NULL REFERENCES kyc_applications(id),
    attempt        smallint    NOT NULL CHECK ((attempt >= 1) AND (attempt <= 3)), -- the one that was decided
    reviewer_id    bigint      NOT NULL REFERENCES staff(id), -- whose decision it was
    week           date        NOT NULL CHECK (extract(isodow FROM week) = 1), -- of the decision
    outcome        kyc_outcome NOT NULL,
    drawn_by       bigint      NOT NULL REFERENCES staff(id),
    drawn_at       timestamptz NOT NULL,
    again          kyc_outcome, -- of the second review
    again_by       bigint      REFERENCES staff(id) CHECK (again_by <> reviewer_id),
    again_at       timestamptz,
    note           text        NOT NULL DEFAULT '', -- for staff alone
    CONSTRAINT kyc_samples_once UNIQUE (application_id, attempt),
    CONSTRAINT kyc_samples_again CHECK (num_nulls(again, again_by, again_at) IN (0, 3))
);
CREATE INDEX kyc_samples_week ON kyc_samples (week DESC, reviewer_id);
CREATE INDEX kyc_samples_open ON kyc_samples (id DESC) WHERE again IS NULL;
CREATE INDEX kyc_samples_done ON kyc_samples (again_at DESC, id DESC) WHERE again IS NOT NULL;

CREATE TABLE kyc_views (
    id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    staff_id       bigint      NOT NULL REFERENCES staff(id),
    application_id bigint      NOT NULL REFERENCES kyc_applications(id),
    document_id    bigint      NOT NULL REFERENCES kyc_documents(id),
    viewed_at      timestamptz NOT NULL,
    ip             text        NOT NULL,
    trace_id       text        NOT NULL
);
CREATE INDEX kyc_views_staff ON kyc_views (staff_id, viewed_at);
CREATE INDEX kyc_views_application ON kyc_views (application_id, id);

-- +goose Down
DROP TABLE kyc_views, kyc_samples, kyc_judgements, kyc_documents, kyc_name_words, kyc_applications;
DROP FUNCTION kyc_level_is_open();
DROP CAST (text AS kyc_state);
DROP CAST (text AS kyc_document_type);
DROP CAST (text AS kyc_proposal);
DROP CAST (text AS kyc_side);
DROP CAST (text AS kyc_decision);
DROP CAST (text AS kyc_outcome);
DROP TYPE kyc_state;
DROP TYPE kyc_document_type;
DROP TYPE kyc_proposal;
DROP TYPE kyc_side;
DROP TYPE kyc_decision;
DROP TYPE kyc_outcome;
