package ui_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"candor/templates/ui"
)

func TestAmount(t *testing.T) {
	t.Parallel()
	for value, want := range map[int64]string{
		0:                 "0.00",
		8_000_000_000:     "8,000.00",
		999_990_000:       "999.99",
		-12_400_000_000:   "−12,400.00",
		1_234_567_890_000: "1,234,567.89",
		120_000:           "0.12",
		123_456:           "0.123456",
		1_500:             "0.0015",
		math.MinInt64:     "−9,223,372,036,854.775808",
	} {
		require.Equal(t, want, ui.Amount(value))
	}
	require.Equal(t, "1,582.95", ui.RoundedAmount(1_582_946_250))
	require.Equal(t, "−0.01", ui.RoundedAmount(-5_000))
	require.Equal(t, "0.00", ui.RoundedAmount(4_999))
	require.Equal(t, "+1.00", ui.Signed(1_000_000))
	require.Equal(t, "−1.00", ui.Signed(-1_000_000))
	require.Equal(t, "0.00", ui.Signed(0))
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	require.Equal(t, "1.07942", ui.Decimal("1.07942"))
	require.Equal(t, "94,668.5", ui.Decimal("94668.5"))
	require.Equal(t, "−100", ui.Decimal("-100"))
}

func TestPercent(t *testing.T) {
	t.Parallel()
	require.Equal(t, "5%", ui.Percent("5"))
	require.Equal(t, "−1,200.5%", ui.Percent("-1200.5"))
}

func TestMoment(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 0, 32, 0, 0, time.UTC)
	west := time.FixedZone("west", -3*3600-1800)
	en, zh := inLanguage(t, "en"), inLanguage(t, "zh_CN")
	require.Equal(t, "00:28", ui.Moment(en, now.Add(-4*time.Minute), now, time.UTC))
	require.Equal(t, "19 Nov, 23:32", ui.Moment(en, now.Add(-time.Hour), now, time.UTC), "yesterday")
	require.Equal(t, "11月19日 23:32", ui.Moment(zh, now.Add(-time.Hour), now, time.UTC))
	require.Equal(t, "20:02", ui.Moment(en, now.Add(-time.Hour), now, west), "the same day there")
	require.Equal(t, "20 Nov 2025, 00:32", ui.Moment(en, now.AddDate(-1, 0, 0), now, time.UTC))
	require.Equal(t, "2025年11月20日 00:32", ui.Moment(zh, now.AddDate(-1, 0, 0), now, time.UTC))
	require.Equal(t, "20 Nov 2026, 00:32:00", ui.ToSecond(en, now, time.UTC))
	require.Equal(t, "19 Nov 2026", ui.Day(en, now, west))
	require.Equal(t, "2026年11月19日", ui.Day(zh, now, west))
	require.Equal(t, "20 Nov", ui.ShortDate(en, now))
	require.Equal(t, "Friday 20 Nov", ui.Weekday(en, now, time.UTC))
	require.Equal(t, "11月20日 星期五", ui.Weekday(zh, now, time.UTC))
	require.Equal(t, "2026-11-20 00:32:00 UTC", ui.Stamp(now.In(west)))
	require.Equal(t, "UTC", ui.ZoneName(now, time.UTC))
	require.Equal(t, "UTC−3:30", ui.ZoneName(now, west))
	require.Equal(t, "UTC+11", ui.ZoneName(now, time.FixedZone("east", 11*3600)))
}
