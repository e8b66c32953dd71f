package systemtest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"candor/app/platform/upload"
	"candor/app/server"
)

// sendPicture uploads a file as one side of the identity documents.
func (r *apiFixture) sendPicture(t *testing.T, token, side string, file []byte) (answer map[string]any, raw string) {
	t.Helper()
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	require.NoError(t, parts.WriteField("side", side))
	into, err := parts.CreateFormFile("file", "../../passport.png")
	require.NoError(t, err)
	_, err = into.Write(file)
	require.NoError(t, err)
	require.NoError(t, parts.Close())
	for answer["code"] == nil || answer["code"] == upload.ErrBusy.Key {
		_, answer, raw = r.call(t, http.MethodPost, "/client/userAuth/uploadImage", token, form.Bytes(), func(q *http.Request) {
			q.Header.Set("Content-Type", parts.FormDataContentType())
		})
	}
	return answer, raw
}

func drawing(t *testing.T, width int) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, width, 20))))
	return out.Bytes()
}

// TestIdentityAPI takes an application through the traders' API: each answer fits the contract, and other traders see none of it.
func TestIdentityAPI(t *testing.T) {
	t.Parallel()
	r := newAPIFixture(t)
	const base = "/client/userAuth/"
	schema := r.contract.Paths.Find(base + "submit").Post.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
	fits := func(answer map[string]any, raw string) map[string]any {
		t.Helper()
		require.Equal(t, "ok", answer["code"], raw)
		require.NoError(t, schema.VisitJSON(answer, openapi3.MultiErrors()), raw)
		return answer["data"].(map[string]any)
	}
	find := func(token string) map[string]any {
		t.Helper()
		_, answer, raw := r.call(t, http.MethodGet, base+"findUserAuthInfoNew", token, nil, nil)
		return fits(answer, raw)
	}
	post := func(call string, body map[string]any, key string) (map[string]any, string) {
		t.Helper()
		text, err := json.Marshal(body)
		require.NoError(t, err)
		_, answer, raw := r.call(t, http.MethodPost, base+call, r.real, text, withKey(key))
		return answer, raw
	}
	now := func() map[string]any { t.Helper(); return map[string]any{"version": find(r.real)["version"]} }

	begun := find(r.real)
	require.Equal(t, []any{"none", -1.0, 3.0, true}, []any{begun["state"], begun["authStatus"], begun["attemptsLeft"], begun["mayChangeData"]})
	body := map[string]any{"country": "DE", "documentType": "passport", "fullName": "Wiremann Canaryson", "number": "WQX99KVW", "birthDate": "1990-05-17"}
	answer, raw := post("saveDraft", body, "")
	saved := fits(answer, raw)
	require.Equal(t, []any{"draft", "Wiremann Canaryson", nil}, []any{saved["state"], saved["fullName"], saved["expiryDate"]})
	answer, raw = post("saveDraft", map[string]any{"expiryDate": "31.08.2031"}, "")
	require.Equal(t, map[string]any{"expiryDate": "field.date"}, answer["fields"], raw)

	answer, raw = r.sendPicture(t, r.real, "front", drawing(t, 30))
	images := fits(answer, raw)["images"].([]any)
	require.Equal(t, map[string]any{"side": "front", "present": true, "replaceable": true, "width": 30.0, "height": 20.0}, images[0])
	require.Equal(t, map[string]any{"side": "selfie", "present": false, "replaceable": true}, images[1])
	for side, file := range map[string][]byte{"left": drawing(t, 30), "selfie": []byte("<svg/>")} {
		answer, raw = r.sendPicture(t, r.real, side, file)
		require.Contains(t, []any{"invalid_input", "upload.format"}, answer["code"], raw)
	}
	shown := r.send(t, http.MethodGet, base+"findImage?side=front", r.real, nil, nil)
	require.Equal(t, []string{"image/jpeg", "no-store", "attachment", "nosniff"}, []string{
		shown.header.Get("Content-Type"), shown.header.Get("Cache-Control"), shown.header.Get("Content-Disposition"), shown.header.Get("X-Content-Type-Options"),
	})
	decoded, err := jpeg.Decode(strings.NewReader(shown.body))
	require.NoError(t, err)
	require.Equal(t, 30, decoded.Bounds().Dx())
	for token, code := range map[string]string{
		r.token: "account.mock", r.guestToken(t, "guest-device-0000001"): "guest.register", realSession(t, r.platform.Database.DB, r.otherOwner.TraderID): "kyc.no_image",
	} {
		_, answer, raw = r.call(t, http.MethodGet, base+"findImage?side=front", token, nil, nil)
		require.Equal(t, code, answer["code"], raw)
	}
	require.Equal(t, "none", find(r.other)["state"])

	answer, raw = post("submit", now(), "too soon")
	require.Equal(t, map[string]any{"expiryDate": "field.required"}, answer["fields"], raw)
	post("saveDraft", map[string]any{"expiryDate": "2031-08-31"}, "")
	r.sendPicture(t, r.real, "selfie", drawing(t, 40))
	answer, raw = post("submit", map[string]any{"version": 1}, "as it was")
	require.Equal(t, "kyc.changed", answer["code"], raw)
	seen := now()
	answer, raw = post("submit", seen, "once")
	submitted := fits(answer, raw)
	require.Equal(t, []any{"submitted", 1.0, 1.0, nil}, []any{submitted["state"], submitted["authStatus"], submitted["attempt"], submitted["fullName"]})
	require.NotNil(t, submitted["promisedAt"])
	_, again := post("submit", seen, "once")
	require.Equal(t, raw, again, "a repeated request is answered again, and does nothing")
	_, answer, raw = r.call(t, http.MethodGet, base+"findImage?side=front", r.real, nil, nil)
	require.Equal(t, "kyc.no_image", answer["code"], raw)
	answer, raw = post("saveDraft", body, "")
	require.Equal(t, "kyc.state", answer["code"], raw)

	answer, raw = post("withdraw", now(), "back")
	withdrawn := fits(answer, raw)
	require.Equal(t, []any{"draft", -1.0, nil}, []any{withdrawn["state"], withdrawn["authStatus"], withdrawn["fullName"]})
	require.Equal(t, "Wiremann Canaryson", find(r.real)["fullName"])
	answer, raw = post("submit", now(), "for good")
	fits(answer, raw)
	_, answer, raw = r.call(t, http.MethodGet, "/client/user/findUserInfo", r.real, nil, nil)
	require.Equal(t, 1.0, answer["data"].(map[string]any)["authStatus"], raw)

	t.Run("NothingOfItLiesOpen", func(t *testing.T) {
		for _, canary := range []string{"Wiremann", "Canaryson", "WQX99KVW"} {
			for _, form := range []string{canary, hex.EncodeToString([]byte(canary))} {
				require.Empty(t, r.tablesWith(t, form), canary)
			}
		}
		require.NotEmpty(t, r.tablesWith(t, "kyc.submit"), "the search finds what is there")
	})
	t.Run("WithoutItsKeysTheServerDoesNotStart", func(t *testing.T) {
		_, err := server.OpenVault(t.Context(), server.Config{DataDir: t.TempDir()}, r.platform.Database.DB)
		require.ErrorContains(t, err, "restore it from the backup")
		_, err = server.OpenVault(t.Context(), r.platform.Config, r.platform.Database.DB)
		require.NoError(t, err)
	})
	t.Run("TheCountries", func(t *testing.T) {
		_, answer, raw := r.call(t, http.MethodGet, base+"findAuthCountryList", r.real, nil, nil)
		list, _ := answer["data"].([]any)
		require.Greater(t, len(list), 200, raw)
		require.Contains(t, list, any(map[string]any{"country": "GB", "en": "United Kingdom", "documentTypes": []any{"passport", "driving_licence"}}))
	})
}

// tablesWith lists the tables that contain a text.
func (r *apiFixture) tablesWith(t *testing.T, text string) (out []string) {
	t.Helper()
	rows, err := r.platform.Database.Pool.Query(t.Context(), `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'tape%' ORDER BY 1`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	for _, table := range tables {
		if r.number(t, fmt.Sprintf(`SELECT count(*) FROM %s t WHERE strpos(t::text, $1) > 0`, table), text) > 0 {
			out = append(out, table)
		}
	}
	return out
}
