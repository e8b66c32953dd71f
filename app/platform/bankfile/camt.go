package bankfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"candor/app/platform/errs"
)

// The reader of camt.053, the bank-to-customer statement of ISO 20022 (message definition report "Bank-to-Customer Cash Management", camt.053.001.02 and later).
// Elements are found by their names in any namespace, so that all versions are read by the same code; what versions nest differently is read both ways.

// maxDepth is far above the depth of the message, which is about 15.
const maxDepth = 64

var (
	errTooDeep = errors.New("bankfile: nested too deep")
	errDoctype = errors.New("bankfile: document type declarations are not read")
)

// camtReader reads one file. XML of this package has no external entities: encoding/xml knows none, and a DOCTYPE is refused.
type camtReader struct {
	inner      *xml.Decoder
	tokens     *xml.Decoder
	depth      int
	details    int // transactions in bookings
	lines      int
	statements []Statement
}

// Token passes the tokens of the file on, up to the allowed depth, and before a booking of too many transactions is in memory.
func (r *camtReader) Token() (xml.Token, error) {
	token, err := r.inner.Token()
	switch token := token.(type) {
	case xml.StartElement:
		if r.depth++; r.depth > maxDepth {
			return nil, errTooDeep
		}
		if token.Name.Local == "TxDtls" {
			r.details++
		}
		if r.details > MaxLines {
			return nil, ErrTooManyLines.With("limit", MaxLines)
		}
	case xml.EndElement:
		r.depth--
	case xml.Directive:
		return nil, errDoctype
	}
	return token, err
}

func readCAMT(raw []byte) ([]Statement, error) {
	if bytes.HasPrefix(raw, []byte{0xFF, 0xFE}) || bytes.HasPrefix(raw, []byte{0xFE, 0xFF}) {
		raw = []byte(decode(raw))
	}
	r := &camtReader{inner: xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\uFEFF"))))}
	r.inner.CharsetReader = charsetReader
	r.tokens = xml.NewTokenDecoder(r)
	if err := r.document(); err != nil {
		return nil, r.refusal(err)
	}
	return r.statements, nil
}

// charsetReader reads the encodings that banks declare; UTF-16 is decoded before.
func charsetReader(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "utf-8", "utf8", "us-ascii", "utf-16":
		return in, nil
	case "iso-8859-1", "windows-1252":
		return charmap.Windows1252.NewDecoder().Reader(in), nil
	case "iso-8859-15":
		return charmap.ISO8859_15.NewDecoder().Reader(in), nil
	}
	return nil, errors.New("bankfile: unknown encoding " + label)
}

// refusal makes a refusal of an XML error; refusals stay what they are.
func (r *camtReader) refusal(err error) error {
	if errs.As(err) != nil {
		return err
	}
	return ErrBroken.With("line", r.row())
}

func (r *camtReader) row() int {
	line, _ := r.inner.InputPos()
	return line
}

// document reads Document/BkToCstmrStmt/Stmt. Other messages, such as the intraday report camt.052, have another element there.
func (r *camtReader) document() error {
	isStatement := false
	for {
		token, err := r.tokens.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case start.Name.Local == "BkToCstmrStmt":
			isStatement = true
		case start.Name.Local == "GrpHdr":
			err = r.tokens.Skip()
		case start.Name.Local == "Stmt" && isStatement:
			err = r.statement()
		}
		if err != nil {
			return err
		}
	}
	if !isStatement {
		return ErrFormat
	}
	return nil
}

// statement reads the children of Stmt one by one, so that a large statement is never a tree in memory.
func (r *camtReader) statement() error {
	s := Statement{Row: r.row()}
	var balances []camtBalance
	for {
		token, err := r.tokens.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = r.child(&s, &balances, token)
		case xml.EndElement:
			if err := s.setBalances(balances); err != nil {
				return err
			}
			r.statements = append(r.statements, s)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *camtReader) child(s *Statement, balances *[]camtBalance, start xml.StartElement) error {
	row := r.row()
	switch start.Name.Local {
	case "Id":
		return r.text(&s.ID, start)
	case "ElctrncSeqNb", "LglSeqNb":
		return r.number(&s.Sequence, start)
	case "StmtPgntn":
		var page struct{ PgNb string }
		err := r.tokens.DecodeElement(&page, &start)
		s.Page, _ = strconv.ParseInt(strings.TrimSpace(page.PgNb), 10, 64)
		return err
	case "FrToDt":
		var period struct{ FrDtTm, ToDtTm, FrDt, ToDt string }
		err := r.tokens.DecodeElement(&period, &start)
		s.From, _ = parseISODate(strings.TrimSpace(firstOf(period.FrDtTm, period.FrDt)))
		s.To, _ = parseISODate(strings.TrimSpace(firstOf(period.ToDtTm, period.ToDt)))
		return err
	case "Acct":
		var account struct {
			camtAccount
			Ccy string
		}
		err := r.tokens.DecodeElement(&account, &start)
		s.Account, s.Currency = account.number(), strings.TrimSpace(account.Ccy)
		return err
	case "Bal":
		balance := camtBalance{row: row}
		err := r.tokens.DecodeElement(&balance, &start)
		if balance.booked() {
			*balances = append(*balances, balance)
		}
		return err
	case "Ntry":
		return r.entry(s, start, row)
	}
	return r.tokens.Skip()
}

func (r *camtReader) text(into *string, start xml.StartElement) error {
	err := r.tokens.DecodeElement(into, &start)
	*into = squeeze(*into)
	return err
}

// number reads a sequence number; the electronic one comes first and is kept.
func (r *camtReader) number(into *int64, start xml.StartElement) error {
	var text string
	err := r.text(&text, start)
	if n, bad := strconv.ParseInt(text, 10, 64); bad == nil && *into == 0 {
		*into = n
	}
	return err
}

// entry reads one Ntry and adds its lines if it is booked.
func (r *camtReader) entry(s *Statement, start xml.StartElement, row int) error {
	var entry camtEntry
	if err := r.tokens.DecodeElement(&entry, &start); err != nil {
		return err
	}
	if !entry.booked() {
		return nil
	}
	lines, err := entry.lines(s, row)
	if err != nil {
		return err
	}
	if r.lines += len(lines); r.lines > MaxLines {
		return ErrTooManyLines.With("limit", MaxLines)
	}
	s.Lines = append(s.Lines, lines...)
	return nil
}
