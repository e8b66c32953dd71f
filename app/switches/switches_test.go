package switches_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
	"candor/app/platform/dbtest"
	"candor/app/platform/money"
	"candor/app/switches"
)

func TestMain(m *testing.M) { dbtest.Run(m) }

type bundle struct {
	*testing.T
	db     *db.DB
	values *switches.Service
	test   *dbtest.DB
}

func setup(t *testing.T) *bundle {
	t.Helper()
	test := dbtest.New(t)
	d, err := db.Open(t.Context(), test.URL)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	values, err := switches.Load(t.Context(), d, nil)
	require.NoError(t, err)
	return &bundle{t, d, values, test}
}

// set writes a row without checks.
func (b *bundle) set(key, value string) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), `INSERT INTO switches (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = $2`, key, value)
	require.NoError(b, err)
}

func (b *bundle) reload() {
	b.Helper()
	require.NoError(b, b.values.Reload(b.Context()))
}

func TestDefinitions(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, d := range switches.Definitions {
		t.Run(d.Key, func(t *testing.T) {
			require.False(t, seen[d.Key], "each key is named once")
			seen[d.Key] = true
			require.Regexp(t, `^[a-z0-9_]+\.[a-z0-9_]+$`, d.Key)
			require.Equal(t, d.Type == switches.Enum, len(d.Choices) > 0)
			if d.Targeted { // no key that moves money or gates a feature
				require.Contains(t, []switches.Type{switches.Bool, switches.Enum}, d.Type)
				require.Equal(t, switches.Ordinary, d.Risk)
			}
			require.Equal(t, d.Safe != "", len(d.StopBy) > 0)
			switch d.Type {
			case switches.Bool:
				require.Contains(t, []string{"true", "false"}, d.Default)
			case switches.Int:
				_, err := strconv.Atoi(d.Default)
				require.NoError(t, err)
			case switches.Decimal:
				amount, err := money.Parse(d.Default, money.Scale)
				require.NoError(t, err)
				require.GreaterOrEqual(t, amount, int64(0))
			case switches.Enum:
				require.Contains(t, d.Choices, d.Default)
			case switches.Moment:
				require.Empty(t, d.Default)
			case switches.Countries:
				list := switches.CountryList(d.Default)
				require.Equal(t, d.Default, strings.Join(list, ","))
				require.True(t, slices.IsSorted(list))
			default:
				require.Equal(t, switches.Text, d.Type)
			}
		})
	}
}

// TestWhatIsPublic lists the keys that any caller may read; a new one is added here by hand or stays secret.
func TestWhatIsPublic(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var keys []string
	for _, e := range b.values.Public(switches.Viewer{}) {
		keys = append(keys, e.Key)
		require.Equal(t, e.Default, e.Value)
	}
	require.Equal(t, []string{
		"address.enabled", "ai.enabled", "bank.fee", "banner.enabled", "bonus.enabled", "clock_12h.default", "contact.phone", "daifu.fee", "demo.enabled", "deposit.unverified_total", "exchange.enabled", "exchange.minimum",
		"exchange.spread", "follow.enabled",
		"invitation.enabled", "invitation.partner_from_1", "invitation.partner_from_2", "invitation.partner_from_3", "invitation.partner_rate_1", "invitation.partner_rate_2",
		"invitation.partner_rate_3", "invitation.rebate_rate", "kefu.type", "maintenance.enabled", "maintenance.until", "mock.top_up_limit", "mt5.fee", "recharge.fee_rate", "recharge.maximum", "recharge.minimum", "second_contract.enabled",
		"third_party.minimum", "trade_verify.enabled", "us_stock.fee_rate", "web3_login.enabled", "withdraw.day_limit_1", "withdraw.day_limit_2", "withdraw.fee_rate", "withdraw.maximum", "withdraw.minimum",
		"withdraw.month_limit_1", "withdraw.month_limit_2",
	}, keys)
	require.NotContains(t, keys, switches.SecondPersonKey, "the desk's limit would tell how to stay below it")
}

func TestFind(t *testing.T) {
	t.Parallel()

	t.Run("APublicKeyHasItsValue", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		found, err := b.values.Find(switches.DemoKey, switches.Viewer{})
		require.NoError(t, err)
		require.Equal(t, []any{switches.DemoKey, switches.Bool, "true"}, []any{found.Key, found.Type, found.Value})
		b.set(switches.DemoKey, "false")
		b.reload()
		found, err = b.values.Find(switches.DemoKey, switches.Viewer{})
		require.NoError(t, err)
		require.Equal(t, "false", found.Value)
	})
	t.Run("ASecretKeyLooksLikeAnUnknownOne", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set("secret.key", "hush")
		b.reload()
		for _, key := range []string{
			switches.SecondPersonKey, "secret.key", "nobody.knows", "", " ", "%", "demo.%", "DEMO.ENABLED", "demo.enabled ", "demo.enabled\x00", "\xff",
			strings.Repeat("a", 10_000),
		} {
			found, err := b.values.Find(key, switches.Viewer{})
			require.Equal(t, switches.ErrUnknown, err, "%.20q", key)
			require.Zero(t, found)
		}
		require.Empty(t, b.values.Value("secret.key"), "a row that no code names is nothing")
	})
}

func TestValues(t *testing.T) {
	t.Parallel()

	t.Run("WithoutARowTheDefaultIsInForce", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		require.True(t, b.values.On(switches.DemoKey))
		require.False(t, b.values.On("ai.enabled"))
		require.Equal(t, []int64{10 * money.Unit, 1_000_000 * money.Unit, 2_000 * money.Unit, 5_000 * money.Unit, 100_000 * money.Unit}, []int64{
			b.values.Amount(switches.RechargeMinKey), b.values.Amount(switches.RechargeMaxKey), b.values.Amount(switches.UnverifiedTotalKey),
			b.values.Amount(switches.SecondPersonKey), b.values.Amount(switches.MockTopUpKey),
		})
	})
	t.Run("LimitsThatAreMissingAreThoseOfTheContract", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		keys := []string{switches.RechargeMinKey, switches.WithdrawMinKey, switches.RechargeMaxKey, switches.WithdrawMaxKey}
		for _, key := range append(keys, switches.BankFeeKey) {
			b.set(key, "")
		}
		b.reload()
		for i, want := range []string{"0.0001", "0.0001", "1000000000", "1000000000"} {
			require.Equal(t, want, b.values.Value(keys[i]))
		}
		require.Equal(t, []int64{100, 1_000_000_000 * money.Unit}, []int64{b.values.Amount(switches.RechargeMinKey), b.values.Amount(switches.WithdrawMaxKey)})
		require.Empty(t, b.values.Value(switches.BankFeeKey), "nothing is foreseen for another")
		require.Zero(t, b.values.Amount(switches.BankFeeKey))
	})
	t.Run("ARowIsInForceOnceItIsReadAgain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set(switches.SecondPersonKey, "1234.5")
		require.EqualValues(t, 5_000*money.Unit, b.values.Amount(switches.SecondPersonKey))
		b.reload()
		require.EqualValues(t, 1_234_500_000, b.values.Amount(switches.SecondPersonKey))
		_, err := b.db.Pool.Exec(t.Context(), `DELETE FROM switches`)
		require.Error(t, err, "nobody makes a value unsaid")
	})
	t.Run("AnythingButTrueIsOff", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, value := range []string{"", "TRUE", "1", "yes", "true ", "false"} {
			b.set(switches.DemoKey, value)
			b.reload()
			require.False(t, b.values.On(switches.DemoKey), "%q", value)
		}
		require.False(t, b.values.On("nobody.knows"))
	})
	t.Run("AnAmountThatIsNoneIsZeroSoThatLimitsClose", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for _, value := range []string{"", "many", "1e9", "NaN", "Infinity", "1,000", "0.0000001", "99999999999999999999", " 5", "0x10"} {
			b.set(switches.UnverifiedTotalKey, value)
			b.reload()
			require.Zero(t, b.values.Amount(switches.UnverifiedTotalKey), "%q", value)
		}
		require.Zero(t, b.values.Amount("nobody.knows"))
	})
	t.Run("ADatabaseThatIsAwayLeavesTheValuesAsTheyWere", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.set(switches.DemoKey, "false")
		b.reload()
		b.db.Close()
		require.Error(t, b.values.Reload(t.Context()))
		require.False(t, b.values.On(switches.DemoKey))
	})
}
