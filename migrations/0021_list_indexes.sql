-- Lists stay as quick at a million rows as at a thousand: each is read along an index that has its order, an account's by time.
-- Orders and fills keep as many indexes as they had, and a market order, which no list of waiting orders shows, has one less.
-- +goose Up
DROP INDEX orders_account;
CREATE INDEX orders_placed ON orders (account_id, created_at DESC, id DESC) WHERE type <> 'market';
DROP INDEX fills_account;
CREATE INDEX fills_account ON fills (account_id, created_at DESC, id DESC);

-- What an entry is for stands beside it, so that a deposit is found among a million deals. Deals, which are most, say nothing and pay for nothing.
ALTER TABLE postings ADD COLUMN kind text;
UPDATE postings p SET kind = t.kind FROM ledger_transactions t WHERE t.id = p.transaction_id AND t.kind NOT IN ('trade_open', 'trade_close');
CREATE INDEX postings_kind ON postings (account_id, kind, id DESC) WHERE kind IS NOT NULL;

-- Staff look for the beginning of an address or of a number, in whatever language the database sorts.
DROP INDEX traders_email, traders_phone;
CREATE UNIQUE INDEX traders_email ON traders (email text_pattern_ops);
CREATE UNIQUE INDEX traders_phone ON traders (phone text_pattern_ops);
DROP INDEX outbox_recipient;
CREATE INDEX outbox_recipient ON outbox (recipient text_pattern_ops, id DESC);

CREATE INDEX deposits_waiting ON deposits (proof_at, id) WHERE state IN ('proof_submitted', 'in_review', 'approved');
CREATE INDEX deposits_file ON deposits (file_id) WHERE file_id IS NOT NULL;

-- The log is narrowed by what acts are about, by their area and by what went wrong.
DROP INDEX audit_entries_at;
CREATE INDEX audit_entries_at ON audit_entries (at DESC, id DESC);
CREATE INDEX audit_entries_kind ON audit_entries (target_kind, at DESC, id DESC);
CREATE INDEX audit_entries_area ON audit_entries (split_part(action, '.', 1), at DESC, id DESC);
CREATE INDEX audit_entries_result ON audit_entries (result, at DESC, id DESC) WHERE result <> 'done';
DROP INDEX audit_entries_target, audit_entries_actor;
CREATE INDEX audit_entries_target ON audit_entries (target_id, at DESC, id DESC);
CREATE INDEX audit_entries_actor ON audit_entries (actor_id, at DESC, id DESC);

-- +goose Down
DROP INDEX audit_entries_actor, audit_entries_target, audit_entries_result, audit_entries_area, audit_entries_kind, audit_entries_at;
CREATE INDEX audit_entries_at ON audit_entries (at DESC);
CREATE INDEX audit_entries_actor ON audit_entries (actor_kind, actor_id, id DESC);
CREATE INDEX audit_entries_target ON audit_entries (target_kind, target_id, id DESC);
ALTER TABLE postings DROP COLUMN kind;
DROP INDEX deposits_file, deposits_waiting, outbox_recipient, traders_phone, traders_email;
CREATE INDEX outbox_recipient ON outbox (recipient, id DESC);
CREATE UNIQUE INDEX traders_email ON traders (email);
CREATE UNIQUE INDEX traders_phone ON traders (phone);
DROP INDEX fills_account, orders_placed;
CREATE INDEX fills_account ON fills (account_id, id DESC);
CREATE INDEX orders_account ON orders (account_id, id DESC);
