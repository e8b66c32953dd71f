package systemtest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/db"
)

// publishContent publishes a notice, a news item and a pop-up in English and Chinese, and a message to every trader.
func (r *apiFixture) publishContent(t *testing.T) {
	t.Helper()
	for id, kind := range map[int]string{9001: "notice", 9002: "news", 9003: "popup"} {
		_, err := r.platform.Database.Pool.Exec(t.Context(), `
			WITH item AS (
				INSERT INTO notice_items (id, kind, sort, version, created_at) OVERRIDING SYSTEM VALUE VALUES ($1, $2, 0, 1, now())
			), revision AS (
				INSERT INTO notice_revisions (id, item_id, number, state, category, placement, severity, audience, countries, languages, platforms, zone, sticky, link, source,
					frequency, must_ack, authors, created_at, changed_at)
				OVERRIDING SYSTEM VALUE VALUES ($1, $1, 1, 'draft', CASE $2 WHEN 'news' THEN 'market' ELSE 'general' END, CASE $2 WHEN 'popup' THEN 'home' ELSE 'list' END,
					'info', 'all', '{}', '{}', '{}', 'UTC', false, '/quotes', '', 'once', $2 = 'popup', '{}', now(), now())
			) SELECT 1`, id, kind)
		require.NoError(t, err)
		_, err = r.platform.Database.Pool.Exec(t.Context(), `
			INSERT INTO notice_variants (revision_id, locale, title, summary, body, alt, changed_at) VALUES
				($1, 'en', 'Title', 'Summary', '<p>Body</p>', '', now()), ($1, 'zh_CN', '标题', '摘要', '<p>正文</p>', '', now())`, id)
		require.NoError(t, err)
		_, err = r.platform.Database.Pool.Exec(t.Context(), `UPDATE notice_revisions SET state = 'live', live_at = now() WHERE id = $1`, id)
		require.NoError(t, err)
		_, err = r.platform.Database.Pool.Exec(t.Context(), `UPDATE notice_items SET live_id = $1 WHERE id = $1`, id)
		require.NoError(t, err)
	}
	_, err := r.platform.Database.Pool.Exec(t.Context(), `
		INSERT INTO user_messages (trader_id, category, key, args, cause, at, in_app) SELECT id, 'money', 'deposit.credited', '{"amount": "100"}', 'deposit:1', now(), true FROM traders`)
	require.NoError(t, err)
}

// getData returns the data of a call that must succeed.
func (r *apiFixture) getData(t *testing.T, method, path, token, language, body string) (data any) {
	t.Helper()
	var bytes []byte
	if body != "" {
		bytes = []byte(body)
	}
	_, answer, raw := r.call(t, method, path, token, bytes, func(q *http.Request) { q.Header.Set("language", language) })
	require.Equal(t, "ok", answer["code"], raw)
	return answer["data"]
}

// TestContent reads published content as visitors and as traders.
func TestContent(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	r.publishContent(t)
	const guest = `"guestId":"0123456789abcdef0123456789abcdef"`
	first := func(page any) map[string]any {
		return page.(map[string]any)["list"].([]any)[0].(map[string]any)
	}

	t.Run("AVisitorReadsInTheOwnLanguageOrTheNearest", func(t *testing.T) {
		for language, want := range map[string][]any{"zh_CN": {"标题", "zh_CN"}, "en": {"Title", "en"}, "ur": {"Title", "en"}} {
			mail := first(r.getData(t, http.MethodGet, "/client/siteMail/findSiteMailPage", "", language, ""))
			require.Equal(t, want, []any{mail["title"], mail["locale"]})
			require.NotContains(t, mail, "read", "a visitor has no mailbox")
			detail := r.getData(t, http.MethodGet, "/client/currencyNews/findCurrencyNewsDetail?id=9002", "", language, "").(map[string]any)
			require.Equal(t, want, []any{detail["title"], detail["locale"]})
		}
		page := r.getData(t, http.MethodGet, "/client/content/findPage?key=risk", "", "en", "").(map[string]any)
		require.Equal(t, []any{"Risk warning", 1.0}, []any{page["title"], page["revision"]})
	})
	t.Run("OneSourceCountsForSoManyVisitors", func(t *testing.T) {
		marks := func() (n int) {
			require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(), `SELECT count(*) FROM notice_reach WHERE item_id = 9001`).Scan(&n))
			return n
		}
		seen := func(device string) {
			_, answer, raw := r.call(t, http.MethodPost, "/client/content/insertSeen", "", []byte(`{"ids":[9001],"guestId":"`+device+`"}`), nil)
			require.Equal(t, "ok", answer["code"], raw)
		}
		before := marks()
		seen("00000000000000000000000000000001")
		require.Equal(t, before+1, marks())
		tag, err := r.platform.Database.Pool.Exec(t.Context(), `UPDATE throttles SET count = count + 4999 WHERE name = 'visitors_marks' AND subject = '127.0.0.1'`)
		require.NoError(t, err)
		require.EqualValues(t, 1, tag.RowsAffected())
		seen("00000000000000000000000000000002")
		require.Equal(t, before+1, marks())
		_, err = r.platform.Database.Pool.Exec(t.Context(), `DELETE FROM throttles WHERE name = 'visitors_marks'`)
		require.NoError(t, err)
	})
	t.Run("WhatIsOfAnotherKindIsUnknown", func(t *testing.T) {
		for _, path := range []string{"/client/siteMail/findSiteMailDetail?id=9002", "/client/currencyNews/findCurrencyNewsDetail?id=9001", "/client/siteMail/findSiteMailDetail?id=1"} {
			_, answer, raw := r.call(t, http.MethodGet, path, "", nil, nil)
			require.Equal(t, "notice.unknown", answer["code"], raw)
		}
		_, answer, raw := r.call(t, http.MethodGet, "/client/content/findPage?key=secret", "", nil, nil)
		require.Equal(t, "invalid_input", answer["code"], raw)
	})
	t.Run("ATraderCountsWhatIsUnread", func(t *testing.T) {
		unread := func(data any) []any {
			u := data.(map[string]any)
			return []any{u["notices"], u["messages"], u["total"]}
		}
		require.Equal(t, []any{1.0, 1.0, 2.0}, unread(r.getData(t, http.MethodGet, "/client/siteMail/findUnreadCount", r.token, "en", "")))
		require.Equal(t, []any{0.0, 1.0, 1.0}, unread(r.getData(t, http.MethodPost, "/client/siteMail/updateSiteMailRead", r.token, "en", `{"id":9001}`)))
		require.Equal(t, true, first(r.getData(t, http.MethodGet, "/client/siteMail/findSiteMailPage", r.token, "en", ""))["read"])
		message := first(r.getData(t, http.MethodGet, "/client/userMsg/findUserMsgPage", r.token, "en", ""))
		require.Equal(t, []any{"deposit.credited", map[string]any{"amount": "100"}, false}, []any{message["key"], message["args"], message["read"]})
		require.Equal(t, []any{0.0, 0.0, 0.0}, unread(r.getData(t, http.MethodPost, "/client/userMsg/updateUserMsgRead", r.token, "en", `{}`)))
		require.Equal(t, []any{1.0, 1.0, 2.0}, unread(r.getData(t, http.MethodGet, "/client/siteMail/findUnreadCount", r.other, "en", "")), "somebody else's mailbox stays as it was")
		theirs := first(r.getData(t, http.MethodGet, "/client/userMsg/findUserMsgPage", r.other, "en", ""))
		r.getData(t, http.MethodPost, "/client/userMsg/updateUserMsgRead", r.token, "en", fmt.Sprintf(`{"ids":[%.0f]}`, theirs["id"]))
		require.Equal(t, []any{1.0, 1.0, 2.0}, unread(r.getData(t, http.MethodGet, "/client/siteMail/findUnreadCount", r.other, "en", "")), "nobody reads another's messages")
		require.Equal(t, []any{0.0, 1.0, 1.0}, unread(r.getData(t, http.MethodPost, "/client/siteMail/updateSiteMailRead", r.other, "en", `{}`)))
	})
	t.Run("MessagesAreListedByGroup", func(t *testing.T) {
		money := r.getData(t, http.MethodGet, "/client/userMsg/findUserMsgPage?group=money&size=1", r.token, "en", "").(map[string]any)
		require.Equal(t, []any{1, 1.0, 0.0}, []any{len(money["list"].([]any)), money["total"], money["next"]})
		trading := r.getData(t, http.MethodGet, "/client/userMsg/findUserMsgPage?group=trading", r.token, "en", "").(map[string]any)
		require.Equal(t, []any{0, 0.0}, []any{len(trading["list"].([]any)), trading["total"]})
		_, answer, raw := r.call(t, http.MethodGet, "/client/userMsg/findUserMsgPage?group=orders", r.token, nil, nil)
		require.Equal(t, "invalid_input", answer["code"], raw)
	})
	t.Run("ATraderChoosesHowToReceiveMessages", func(t *testing.T) {
		const read, write = "/client/userMsg/findUserMsgSettings", "/client/userMsg/updateUserMsgSetting"
		orders := func(data any) map[string]any {
			return data.(map[string]any)["list"].([]any)[0].(map[string]any)
		}
		unchanged := map[string]any{"category": "orders", "inApp": true, "mail": false, "inAppLocked": false, "mailLocked": false}
		require.Equal(t, unchanged, orders(r.getData(t, http.MethodGet, read, r.token, "en", "")))
		changed := map[string]any{"category": "orders", "inApp": false, "mail": true, "inAppLocked": false, "mailLocked": false}
		require.Equal(t, changed, orders(r.getData(t, http.MethodPost, write, r.token, "en", `{"category":"orders","inApp":false,"mail":true}`)))
		require.Equal(t, changed, orders(r.getData(t, http.MethodGet, read, r.token, "en", "")))
		require.Equal(t, unchanged, orders(r.getData(t, http.MethodGet, read, r.other, "en", "")), "another trader's settings stay")
		_, answer, raw := r.call(t, http.MethodPost, write, r.token, []byte(`{"category":"margin","inApp":true,"mail":false}`), nil)
		require.Equal(t, "invalid_input", answer["code"], raw)
		require.Contains(t, raw, `"mail":"field.always_on"`)
	})
	t.Run("APopUpStaysUntilItIsConfirmed", func(t *testing.T) {
		shown := func() []any {
			return r.getData(t, http.MethodGet, "/client/popup/findPopupMsgList?guestId=0123456789abcdef0123456789abcdef", "", "en", "").([]any)
		}
		require.Len(t, shown(), 1)
		r.getData(t, http.MethodPost, "/client/popup/updatePopupSeen", "", "en", `{"id":9003,"revision":1,"ack":false,`+guest+`}`)
		require.Len(t, shown(), 1, "seen is not confirmed")
		r.getData(t, http.MethodPost, "/client/popup/updatePopupSeen", "", "en", `{"id":9003,"revision":1,"ack":true,`+guest+`}`)
		require.Empty(t, shown())
		require.Len(t, r.getData(t, http.MethodGet, "/client/popup/findPopupMsgList", r.token, "en", ""), 1, "somebody else still sees it")
	})
	t.Run("AVisitorIsCountedOnceAndByNothingButAHash", func(t *testing.T) {
		for range 2 {
			r.getData(t, http.MethodPost, "/client/content/insertClick", "", "en", `{"id":9002,`+guest+`}`)
		}
		r.getData(t, http.MethodPost, "/client/content/insertClick", "", "en", `{"id":9002}`)
		var viewers string
		var clicks int
		require.NoError(t, r.platform.Database.Pool.QueryRow(t.Context(), `SELECT string_agg(viewer, ' '), sum(clicks) FROM notice_reach WHERE item_id = 9002`).Scan(&viewers, &clicks))
		require.Equal(t, 2, clicks)
		require.Regexp(t, `^g:[0-9a-f]{32}$`, viewers)
		require.NotContains(t, viewers, "0123456789abcdef")
	})
	t.Run("APictureWaitsForABusyDatabase", func(t *testing.T) {
		ask := func(ctx context.Context) int {
			answer := httptest.NewRecorder()
			r.platform.Handler.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, "/media/"+strings.Repeat("0", 64)+".jpg", nil))
			return answer.Code
		}
		busy, cancel := context.WithCancelCause(t.Context())
		cancel(db.ErrBusy)
		require.Equal(t, http.StatusServiceUnavailable, ask(busy))
		require.Equal(t, http.StatusNotFound, ask(t.Context()))
	})
	t.Run("APictureIsServedByItsHashAlone", func(t *testing.T) {
		for _, name := range []string{"x.jpg", strings.Repeat("0", 64) + ".jpg", strings.Repeat("0", 64), "..%2f..%2fetc.jpg"} {
			require.Equal(t, http.StatusNotFound, r.send(t, http.MethodGet, "/media/"+name, "", nil, nil).status, name)
		}
	})
}
