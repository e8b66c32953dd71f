package bankdesk_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/admin/access"
	"candor/admin/desk/desktest"
	"candor/app/banking"
	"candor/app/ledger"
	"candor/app/platform/bankfile"
	"candor/app/platform/bankfile/bankfiletest"
	"candor/app/platform/db"
)

const iban = "DE89370400440532013000"

// uploaded imports a file as the page does; pairs are further fields and their values.
func uploaded(t *testing.T, who *desktest.Browser, raw []byte, pairs ...string) *httptest.ResponseRecorder {
	t.Helper()
	return posted(t, who, "/admin/statements/import", raw, pairs...)
}

// posted posts a form of a file, if there is one, and fields.
func posted(t *testing.T, who *desktest.Browser, path string, raw []byte, pairs ...string) *httptest.ResponseRecorder {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if raw != nil {
		file, err := form.CreateFormFile("file", "statement.xml")
		require.NoError(t, err)
		_, err = file.Write(raw)
		require.NoError(t, err)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		require.NoError(t, form.WriteField(pairs[i], pairs[i+1]))
	}
	require.NoError(t, form.Close())
	request := httptest.NewRequest(http.MethodPost, path, &body)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("HX-Request", "true")
	return who.Do(request)
}

// announced adds deposits with a proof, of 1.00 USD and a cent more each; it returns their payment references.
func (b *bundle) announced(count int) (references []string) {
	b.Helper()
	var id int64
	require.NoError(b, b.DB.Pool.QueryRow(b.Context(), `INSERT INTO traders (email, name, password_hash, country, invite_code, accepted_at) VALUES ('m@example.com', 'M', 'x', 'ES', 'I', now()) RETURNING id`).Scan(&id))
	var a ledger.Account
	require.NoError(b, b.DB.InTx(b.Context(), func(tx *db.Tx) (err error) {
		a, err = ledger.OpenTx(b.Context(), tx, id, ledger.Real, 1, b.Clock.Now())
		return err
	}))
	const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
	for n := range count {
		reference := fmt.Sprintf("CD-7Q4K-2%c%c%c", letters[n/1024], letters[n/32%32], letters[n%32])
		_, err := b.DB.Pool.Exec(b.Context(), `INSERT INTO deposits (trader_id, account_id, channel_id, kind, currency, amount, reference, state, created_at, proof_at, expires_at)
			VALUES ($1, $2, 1, 'bank', 'USD', $3, $4, 'proof_submitted', $5, $5, $5)`, id, a.ID, int64(100+n)*10_000, reference, b.Clock.Now())
		require.NoError(b, err)
		references = append(references, reference)
	}
	return references
}

// TestFiveHundredLines imports a statement of 500 lines: 480 are matched by one act, 20 are explained by two people, and the day closes without a difference.
func TestFiveHundredLines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	today := bankfile.DateOf(b.Clock.Now())
	var lines []bankfile.Line
	for n, reference := range b.announced(480) {
		lines = append(lines, bankfile.Line{Booked: today, Amount: int64(100 + n), Counterparty: "Marta Ruiz", BankReference: fmt.Sprintf("BANK%05d", n), Text: "deposit " + reference})
	}
	for n := range 20 {
		lines = append(lines, bankfile.Line{Booked: today, Amount: -int64(35 + n), Counterparty: "Specimen Bank", BankReference: fmt.Sprintf("FEE%05d", n), Text: "fee"})
	}
	raw := bankfiletest.CAMT053(bankfiletest.Statement("2026-231", iban, "USD", 100_000, lines...))
	require.Equal(t, http.StatusForbidden, uploaded(t, b.second, raw).Code, "a checker imports nothing")
	answer := uploaded(t, b.maker, raw)
	require.Equal(t, http.StatusNoContent, answer.Code, answer.Body.String())
	require.Contains(t, b.maker.Get(answer.Header().Get("HX-Redirect")).Body.String(), "500 lines imported, 0 were known already.")
	again := uploaded(t, b.maker, raw)
	require.Equal(t, http.StatusUnprocessableEntity, again.Code)
	require.Contains(t, again.Body.String(), "imported already as BS-7001")

	dialog := b.maker.Part("/admin/statements/matches").Body.String()
	require.Contains(t, dialog, "Match 480 lines")
	require.Contains(t, dialog, "and 468 more lines")
	seen := regexp.MustCompile(`name="seen" value="([0-9a-f]{64})"`).FindStringSubmatch(dialog)[1]
	require.Equal(t, http.StatusUnprocessableEntity, b.maker.Send("/admin/statements/matches", url.Values{"seen": {seen}}).Code, "a code is needed")
	require.Equal(t, http.StatusConflict, b.maker.Send("/admin/statements/matches", url.Values{"seen": {seen[1:]}, "code": {b.maker.Code(t)}}).Code, "not what was shown")
	require.Equal(t, http.StatusNoContent, b.maker.Send("/admin/statements/matches", url.Values{"seen": {seen}, "code": {b.maker.Code(t)}}).Code)
	var credited int
	require.NoError(t, b.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM deposits WHERE state = 'credited'`).Scan(&credited))
	require.Equal(t, 480, credited)

	list, err := b.banking.Lines(t.Context(), banking.Search{Group: banking.GroupUnclaimed}, banking.Place{}, 100)
	require.NoError(t, err)
	require.Len(t, list, 20)
	for _, l := range list {
		page := "/admin/statements/" + strconv.FormatInt(l.ID, 10)
		require.Equal(t, http.StatusOK, send(b.maker, page, "explanation", 1, url.Values{"cause": {"bank_fee"}, "why": {"By the price list of the bank"}}))
		require.Equal(t, http.StatusOK, send(b.second, page, "agreement", 2, url.Values{"code": {b.second.Code(t)}}))
	}
	account := "/admin/bank-accounts/1"
	body := b.maker.Get(account).Body.String()
	require.Contains(t, body, "Books and bank")
	require.NotContains(t, body, "Unmatched lines")
	require.Equal(t, http.StatusOK, send(b.maker, account, "closing", 1, url.Values{"seen": {"0"}, "why": {"Books and bank agree"}}))
	require.Contains(t, b.second.Get(account).Body.String(), "Closed days")
	require.Contains(t, b.maker.Get(account).Body.String(), "difference 0.00")
}

// TestWhoWorksOnLines: a checker doesn't match, a maker doesn't agree, and others don't see what banks say of people.
func TestWhoWorksOnLines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	today := bankfile.DateOf(b.Clock.Now())
	raw := bankfiletest.MT940(bankfiletest.Statement("1", iban, "USD", 0, bankfile.Line{Booked: today, Amount: 4_200, Counterparty: "A Stranger", BankReference: "STRANGE1", Text: "hello"}))
	require.Equal(t, http.StatusNoContent, uploaded(t, b.maker, raw).Code)
	page := "/admin/statements/40001"
	require.Contains(t, b.second.Get(page).Body.String(), "A Stranger")
	require.Equal(t, http.StatusForbidden, send(b.second, page, "match", 1, url.Values{"case": {"DP-1"}, "code": {b.second.Code(t)}}))
	require.Equal(t, http.StatusUnprocessableEntity, send(b.maker, page, "match", 1, url.Values{"case": {"what"}, "code": {b.maker.Code(t)}}))
	require.Equal(t, http.StatusUnprocessableEntity, send(b.maker, page, "match", 1, url.Values{"case": {"DP-1"}, "code": {b.maker.Code(t)}}), "no such deposit")
	require.Equal(t, http.StatusOK, send(b.maker, page, "explanation", 1, url.Values{"cause": {"other"}, "why": {"We ask the bank who it is"}}))
	require.Equal(t, http.StatusForbidden, send(b.other, page, "agreement", 2, url.Values{"code": {b.other.Code(t)}}))
	require.Equal(t, http.StatusOK, send(b.maker, page, "withdrawal", 2, nil))
	for _, role := range []access.Role{access.SupportLead, access.ComplianceLead, access.ConfigAdmin} {
		require.Equal(t, http.StatusForbidden, b.seat("Other", role).Get(page).Code, role)
	}
	require.Contains(t, b.seat("Auditor", access.Auditor).Get("/admin/statements?tab=all&account=1").Body.String(), "BL-40001")
	require.Contains(t, b.maker.Get("/admin/statements/file?tab=all").Body.String(), "STRANGE1")
	require.NotContains(t, b.maker.Get("/admin/statements?tab=all&account=99&from=x").Body.String(), "BL-40001")
}

// TestACSVFileAsksForItsColumnsOnce: the first CSV file of an account is imported with chosen columns, and the next ones with the kept ones.
func TestACSVFileAsksForItsColumnsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	today := bankfile.DateOf(b.Clock.Now())
	csv := func(number string, opening int64, reference string) []byte {
		raw, _ := bankfiletest.CSV(bankfiletest.Statement(number, iban, "USD", opening, bankfile.Line{Booked: today, Value: today, Amount: 4_200, Counterparty: "A Stranger", BankReference: reference, Text: "hello"}))
		return raw
	}
	first := csv("1", 0, "CSV1")
	answer := uploaded(t, b.maker, first)
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), "Choose the account of this CSV file.")

	answer = uploaded(t, b.maker, first, "account", "1")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	dialog := answer.Body.String()
	for _, want := range []string{"Columns of the CSV file", `<option value="Booking date" selected>`, "42.00 USD · A Stranger · CSV1", `value="DD.MM.YYYY"`} {
		require.Contains(t, dialog, want)
	}
	columns := []string{
		"account", "1", "content", base64.StdEncoding.EncodeToString(first), "delimiter", ";", "decimal", ",", "date_layout", "dd.mm.yyyy", "header_row", "1", "sign", "signed",
		"date", "Booking date", "value", "Value date", "amount", "Amount", "currency", "Currency", "counterparty", "Counterparty", "account_column", "Counterparty account",
		"reference", "End-to-end reference", "text", "Description", "bank_reference", "Bank reference", "balance", "Balance",
	}
	wrong := slices.Clone(columns)
	wrong[slices.Index(wrong, "amount")+1] = "Counterparty"
	answer = posted(t, b.maker, "/admin/statements/import/columns", nil, wrong...)
	require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
	require.Contains(t, answer.Body.String(), "Line 2 has no valid amount: A Stranger")
	require.Equal(t, http.StatusForbidden, posted(t, b.second, "/admin/statements/import/columns", nil, columns...).Code, "a checker imports nothing")
	answer = posted(t, b.maker, "/admin/statements/import/columns", nil, columns...)
	require.Equal(t, http.StatusNoContent, answer.Code, answer.Body.String())
	require.Contains(t, b.maker.Get(answer.Header().Get("HX-Redirect")).Body.String(), "1 line imported, 0 were known already.")

	answer = uploaded(t, b.maker, csv("2", 4_200, "CSV2"), "account", "1")
	require.Equal(t, http.StatusNoContent, answer.Code, "the columns are kept")
}
