-- An identity may be shredded when nothing is kept of its trader any more: what was decided stays, what was handed in is gone with its wrapped keys.
-- Going down is refused by the database once something was shredded: the former shape has no place for that.
-- +goose Up
ALTER TABLE kyc_applications
    ADD COLUMN shredded_at timestamptz,
    DROP CONSTRAINT kyc_applications_check2,
    ADD CHECK (state IN ('draft', 'resubmission_required') OR (shredded_at IS NOT NULL AND state IN ('revoked', 'rejected_final')) OR
        num_nulls(country, document_type, name_key, number_key, birth_key, expiry_key, number_hash, submitted_at) = 0 AND attempt > 0),
    ADD CHECK (shredded_at IS NULL OR
        num_nonnulls(name_key, name_sealed, number_key, number_sealed, birth_key, birth_sealed, expiry_key, expiry_sealed, number_hash, claimed_by, renew_on) = 0);
ALTER TABLE kyc_documents
    ALTER COLUMN picture_hash DROP NOT NULL,
    ADD CHECK (sealed_key IS NULL OR picture_hash IS NOT NULL);

-- +goose Down
ALTER TABLE kyc_documents
    DROP CONSTRAINT kyc_documents_check3,
    ALTER COLUMN picture_hash SET NOT NULL;
ALTER TABLE kyc_applications
    DROP CONSTRAINT kyc_applications_check2,
    DROP CONSTRAINT kyc_applications_check6,
    DROP COLUMN shredded_at,
    ADD CHECK (state IN ('draft', 'resubmission_required') OR
        num_nulls(country, document_type, name_key, number_key, birth_key, expiry_key, number_hash, submitted_at) = 0 AND attempt > 0);
