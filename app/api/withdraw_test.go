package api

import (
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/withdrawal"
)

func TestWithdrawOf(t *testing.T) {
	t.Parallel()
	hash, sent := "ab12", int64(7)
	coins := withdrawal.Withdrawal{ID: 80001, Kind: withdrawal.Crypto, Chain: "tron", Address: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", State: withdrawal.OutcomeUnknown, Payment: &hash}

	shown := withdrawOf(coins, "")
	require.Equal(t, "TRON (TRC-20)", *shown.ChainName)
	require.Nil(t, shown.Iban)
	require.Nil(t, shown.Holder)
	require.Nil(t, shown.Payment, "what staff have found out is not settled")
	require.Nil(t, shown.Explorer)

	coins.State, coins.SentID = withdrawal.Sent, &sent
	shown = withdrawOf(coins, "")
	require.Equal(t, hash, *shown.Payment)
	require.Equal(t, "https://tronscan.org/#/transaction/ab12", *shown.Explorer)

	bank := withdrawOf(withdrawal.Withdrawal{Kind: withdrawal.ByBank, IBAN: "DE89370400440532013000", Payment: &hash, SentID: &sent}, "Anna Muster")
	require.Equal(t, "Anna Muster", *bank.Holder)
	require.Nil(t, bank.ChainName)
	require.Nil(t, bank.Explorer)
	require.Equal(t, hash, *bank.Payment)
}
