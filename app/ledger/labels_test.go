package ledger_test

import (
	"testing"

	"candor/app/ledger"
	"candor/app/platform/dbtest"
)

func TestTheEnumTypesHaveTheConstantsAsLabels(t *testing.T) {
	t.Parallel()
	d := dbtest.New(t)
	d.RequireLabels(t, "account_kind", ".", "Kind", "house") // house accounts are made by a migration
	d.RequireLabels(t, "book", ".", "Book")
	d.RequireLabels(t, "account_bucket", ".", "Bucket")
	var codes []string
	for _, one := range ledger.Denominations {
		codes = append(codes, one.Code)
	}
	d.RequireLabels(t, "currency", ".", "", codes...)
}
