-- Bonuses: promotional credit by a campaign's rule, or for one trader by two people (app/bonus). The ledger has each grant and each end.
-- +goose Up
CREATE TYPE bonus_rule AS ENUM ('deposit', 'welcome');
CREATE TYPE bonus_state AS ENUM ('accepted', 'active', 'declined', 'expired', 'given_up', 'lapsed', 'offered', 'taken_back', 'used');
CREATE CAST (text AS bonus_rule) WITH INOUT AS ASSIGNMENT;
CREATE CAST (text AS bonus_state) WITH INOUT AS ASSIGNMENT;

-- A campaign never changes; it can be stopped, and what traders accepted before stays theirs.
CREATE TABLE bonus_campaigns (
    id         bigint       PRIMARY KEY REFERENCES approvals(id),
    rule       bonus_rule   NOT NULL,
    amount     money_amount NOT NULL CHECK (amount > 0), -- 10^-6 USDT: what a trader gets; by a deposit at most
    share_bps  int          NOT NULL CHECK (share_bps BETWEEN 0 AND 10000), -- of the deposit
    minimum    money_amount NOT NULL, -- of the deposit, 10^-6 USDT
    budget     money_amount NOT NULL, -- for all traders together, 10^-6 USDT
    days       int          NOT NULL CHECK (days BETWEEN 1 AND 365), -- from the grant until it expires
    last_day   date         NOT NULL, -- UTC: until its end a trader may accept, and a deposit counts
    created_at timestamptz  NOT NULL,
    stopped_at timestamptz,
    stopped_by bigint       REFERENCES staff(id),
    CONSTRAINT bonus_campaigns_rule CHECK ((rule = 'deposit') = (share_bps > 0) AND (rule = 'deposit') = (minimum > 0)),
    CONSTRAINT bonus_campaigns_budget CHECK (budget >= amount),
    CONSTRAINT bonus_campaigns_stopped CHECK ((stopped_at IS NULL) = (stopped_by IS NULL))
);
CREATE TRIGGER bonus_campaigns_approved BEFORE INSERT ON bonus_campaigns FOR EACH ROW EXECUTE FUNCTION must_be_approved('id', 'bonus', 'id');

CREATE TABLE bonuses (
    id          bigint       GENERATED ALWAYS AS IDENTITY (START WITH 7001) PRIMARY KEY,
    trader_id   bigint       NOT NULL REFERENCES traders(id),
    campaign_id bigint       REFERENCES bonus_campaigns(id),
    approval_id bigint       REFERENCES approvals(id), -- of a bonus that two people gave this trader
    amount      money_amount NOT NULL CHECK (amount > 0), -- 10^-6 USDT: the most that it may be; from the grant on what it was
    days        int          NOT NULL CHECK (days BETWEEN 1 AND 365), -- from the grant until it expires
    state       bonus_state  NOT NULL,
    terms       int          CHECK (terms > 0), -- the version of the terms that the trader accepted
    accept_by   timestamptz  NOT NULL, -- and for a deposit: when it must have been credited
    offered_at  timestamptz  NOT NULL,
    accepted_at timestamptz,
    account_id  bigint       REFERENCES accounts(id),
    deposit_id  bigint       UNIQUE REFERENCES deposits(id), -- that earned it
    grant_id    bigint       UNIQUE REFERENCES ledger_transactions(id),
    granted_at  timestamptz,
    expires_at  timestamptz,
    remaining   money_amount NOT NULL DEFAULT 0, -- when last computed; losses since then are still to be taken from it
    warned_at   timestamptz, -- that it will expire
    ended_at    timestamptz,
    end_id      bigint       UNIQUE REFERENCES ledger_transactions(id), -- the posting of what was left
    CONSTRAINT bonuses_one UNIQUE (trader_id, campaign_id),
    CONSTRAINT bonuses_approval UNIQUE (approval_id),
    CONSTRAINT bonuses_source CHECK (num_nonnulls(campaign_id, approval_id) = 1),
    CONSTRAINT bonuses_accepted CHECK (num_nulls(terms, accepted_at) IN (0, 2) AND (accepted_at IS NULL) = (state = 'offered' OR (state IN ('declined', 'lapsed') AND approval_id IS NOT NULL))),
    CONSTRAINT bonuses_granted CHECK (num_nulls(grant_id, granted_at, expires_at, account_id) IN (0, 4) AND (grant_id IS NOT NULL) = (state IN ('active', 'expired', 'given_up', 'taken_back', 'used'))),
    CONSTRAINT bonuses_ended CHECK ((ended_at IS NULL) = (state IN ('offered', 'accepted', 'active'))),
    CONSTRAINT bonuses_remaining CHECK (remaining <= amount AND (remaining = 0 OR state = 'active') AND (state <> 'used' OR end_id IS NULL))
);
CREATE INDEX bonuses_trader ON bonuses (trader_id, id DESC);
CREATE INDEX bonuses_campaign ON bonuses (campaign_id) INCLUDE (amount, state);
CREATE INDEX bonuses_active ON bonuses (account_id, expires_at, id) WHERE state = 'active';
CREATE INDEX bonuses_waiting ON bonuses (accept_by) WHERE state IN ('offered', 'accepted');
CREATE TRIGGER bonuses_approved BEFORE INSERT ON bonuses FOR EACH ROW WHEN (NEW.approval_id IS NOT NULL) EXECUTE FUNCTION must_be_approved('approval_id', 'bonus', 'approval_id');

-- +goose Down
DROP TABLE bonuses, bonus_campaigns;
DROP CAST (text AS bonus_state);
DROP CAST (text AS bonus_rule);
DROP TYPE bonus_state, bonus_rule;
