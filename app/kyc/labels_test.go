package kyc_test

import (
	"testing"

	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	for enum, constants := range map[string]string{
		"kyc_state": "State", "kyc_document_type": "DocumentType", "kyc_proposal": "propose*", "kyc_side": "Part", "kyc_decision": "Decision", "kyc_outcome": "Outcome",
	} {
		d.RequireLabels(t, enum, ".", constants)
	}
}
