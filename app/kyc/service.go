package kyc

import (
	"context"
	"fmt"
	"slices"

	"candor/app/approval"
	"candor/app/ledger"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/idempotency"
	"candor/app/platform/names"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/staff"
	"candor/app/switches"
	"candor/app/trader"
)

// Service implements verification for the API, the back office and the jobs.
type Service struct {
	db        *db.DB
	clock     clock.Clock
	vault     *vault.Vault
	folder    *vault.Folder
	messenger *trader.Messenger
	alarm     staff.Alarm
	switches  *switches.Service
	business  []Business
	levels    *approval.Service
	names     names.Index
}

// Config is the dependencies of a Service.
type Config struct {
	DB        *db.DB
	Clock     clock.Clock
	Vault     *vault.Vault
	Folder    *vault.Folder     // of the sealed pictures
	Messenger *trader.Messenger // nil sends traders no messages
	Alarm     staff.Alarm       // called when a member of staff has used up the quota of pictures; nil sends no alarm
	Approvals *approval.Engine
	Switches  *switches.Service // of the lists of countries; nil lists none
	Business  []Business        // asked besides the ledger before an identity is shredded; nil refuses every shredding
}

// Business reports whether something of a trader is still open with one part of the house.
type Business func(ctx context.Context, q db.Querier, traderID int64) (open bool, err error)

// New makes the service.
func New(c Config) *Service {
	s := &Service{db: c.DB, clock: c.Clock, vault: c.Vault, folder: c.Folder, messenger: c.Messenger, alarm: c.Alarm, switches: c.Switches, business: c.Business, names: names.NewIndex(c.Vault, "kyc_name_words", "application_id")}
	if c.Approvals != nil {
		s.levels = c.Approvals.For(levelUse)
	}
	return s
}

// SealedColumns are the columns of wrapped keys.
var SealedColumns = []vault.Column{
	fieldKey("name"), fieldKey("number"), fieldKey("birth"), fieldKey("expiry"), pictureKey,
}

var pictureKey = vault.Column{Table: "kyc_documents", Name: "sealed_key"}

// fieldKey is the column of a field's wrapped key.
func fieldKey(column string) vault.Column {
	return vault.Column{Table: "kyc_applications", Name: column + "_key"}
}

// Ask is a part that staff ask for again, with the code of the reason shown to the trader.
type Ask struct {
	Part   Part
	Reason string
}

// View is the trader's view of an application. It has the data while they may be edited; of an approved application it has only the name.
type View struct {
	Application
	AuthStatus int // identity status shown in the app, independent of this application
	Limits     int // the level that limits use
	Data       Data
	Documents  []Document // the current ones
	Asked      []Ask      // the parts still to be submitted again
}

// MayEditData reports whether the data may be edited now; editing begins an application when none is open.
func (v View) MayEditData() bool { return v.mayBegin() || v.mayEditData() == nil }

func (v View) mayBegin() bool { return v.CurrentState() == None || v.mayBeginAnother() }

// Image is a picture that the document type needs. Document is nil without an accepted or pending picture.
type Image struct {
	Side        Part
	Document    *Document
	Replaceable bool // a new picture may be submitted now
}

// Images lists the pictures that the application needs.
func (v View) Images() (list []Image) {
	for _, side := range v.Sides() {
		d := current(v.Documents, side)
		may := v.mayBegin() || v.mayReplace(d) == nil
		if d != nil && d.Decision == Refused {
			d = nil
		}
		list = append(list, Image{side, d, may})
	}
	return list
}

// viewTx reads the trader's newest application with its pictures and the parts asked for. The data stay sealed, so that the result may be stored as a reply.
func viewTx(tx *db.Tx, traderID int64) (v View, err error) {
	list, err := newestTx(tx, traderID, 2)
	if err != nil {
		return v, err
	}
	v.AuthStatus, v.Limits = authStatus(list)
	if len(list) == 0 {
		return v, nil
	}
	a := list[0]
	v.Application = a
	if v.Documents, err = documentsTx(tx, a.ID, true); err != nil || a.State != Resubmission {
		return v, err
	}
	v.Asked = askedFor(a, v.Documents)
	return v, nil
}

// askedFor lists the current pictures and the data that staff asked for again.
func askedFor(a Application, documents []Document) (list []Ask) {
	if a.DataReason != nil {
		list = append(list, Ask{DataPart, *a.DataReason})
	}
	for _, d := range documents {
		if d.Decision == Refused {
			list = append(list, Ask{d.Side, *d.Reason})
		}
	}
	return list
}

// Find reads the trader's newest application; its state is None when there is none.
func (s *Service) Find(ctx context.Context, traderID int64) (v View, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		v, err = viewTx(tx, traderID)
		return err
	})
	if err != nil || v.ID == 0 || (!v.Editable() && !v.Verified()) {
		return v, err
	}
	if v.Data, err = s.open(ctx, s.db.Pool, v.Application); err != nil {
		return v, err
	}
	if v.Verified() {
		v.Data = Data{FullName: v.Data.FullName}
	}
	return v, nil
}

// Newest is the id of a trader's newest application; 0 when there is none.
func (s *Service) Newest(ctx context.Context, traderID int64) (id int64, err error) {
	if err = s.db.Pool.QueryRow(ctx, `SELECT coalesce(max(id), 0) FROM kyc_applications WHERE trader_id = $1`, traderID).Scan(&id); err != nil {
		return 0, fmt.Errorf("find the newest application of trader %d: %w", traderID, err)
	}
	return id, nil
}

// AskedAgain reports which of the traders must submit parts again.
func (s *Service) AskedAgain(ctx context.Context, traderIDs ...int64) (map[int64]bool, error) {
	asked, err := traders(s.db.Pool.Query(ctx, `SELECT trader_id FROM kyc_applications WHERE state = 'resubmission_required' AND trader_id = ANY ($1)`, traderIDs))
	if err != nil {
		return nil, fmt.Errorf("find who is asked again: %w", err)
	}
	out := make(map[int64]bool, len(asked))
	for _, id := range asked {
		out[id] = true
	}
	return out, nil
}

// Save stores the entered data. The country and the document type can't change after a submission.
// Refusals: fields, ErrDocument, ErrState, ErrPart, trader.ErrGuest.
func (s *Service) Save(ctx context.Context, o ledger.Owner, f Filled) (View, error) {
	if err := f.check(); err != nil {
		return View{}, err
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		a, err := s.lockOrBeginTx(ctx, tx, o)
		if err != nil {
			return err
		}
		if err := a.mayEditData(); err != nil {
			return err
		}
		changes, err := s.dataColumns(a, f)
		if err != nil {
			return err
		}
		before := summary(a, nil)
		if err := moveTx(tx, &a, changes); err != nil {
			return err
		}
		if f.FullName != nil {
			if err := s.names.ReplaceTx(ctx, tx, a.TraderID, a.ID, *f.FullName); err != nil {
				return err
			}
		}
		return s.recordTx(ctx, tx, o.Actor(), "kyc.save", before, a, nil)
	})
	if err != nil {
		return View{}, err
	}
	return s.Find(ctx, o.TraderID)
}

// dataColumns returns the columns of the entered data. It voids the desk's marks.
func (s *Service) dataColumns(a Application, f Filled) (map[string]any, error) {
	changes := map[string]any{}
	country, documentType := a.Country, a.DocumentType
	if f.Country != nil {
		country = *f.Country
	}
	if f.DocumentType != nil {
		documentType = DocumentType(*f.DocumentType)
	}
	if a.State != Draft && (country != a.Country || documentType != a.DocumentType) {
		return nil, ErrPart
	}
	if country != "" && documentType != "" && !slices.Contains(typesOf(country), documentType) {
		return nil, ErrDocument
	}
	changes["country"], changes["document_type"], changes["marks"] = nullIfEmpty(country), nullIfEmpty(string(documentType)), Marks(nil)
	texts := f.sentFields()
	if len(texts) > 0 {
		changes["data_attempt"], changes["data_reason"] = a.next(), nil
	}
	for _, field := range a.fields() {
		text, sent := texts[field.name]
		if !sent {
			continue
		}
		key, sealed, err := s.seal(a, field, text)
		if err != nil {
			return nil, err
		}
		changes[field.column+"_key"], changes[field.column+"_sealed"] = key, sealed
	}
	return changes, nil
}

func nullIfEmpty(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// MayAttach checks before an upload is read, because reading costs more. Refusals: ErrState, ErrAttempts, ErrTooMany.
func (s *Service) MayAttach(ctx context.Context, o ledger.Owner) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		list, err := newestTx(tx, o.TraderID, 1)
		if err != nil || len(list) == 0 || list[0].mayBeginAnother() {
			return err
		}
		documents, err := documentsTx(tx, list[0].ID, false)
		if err != nil {
			return err
		}
		return list[0].mayAttach(len(documents))
	})
}

// Attach stores the picture of a side and replaces the former one. Of pictures without a decision only the newest is kept.
// Refusals: the field, ErrState, ErrPart, ErrTooMany, trader.ErrGuest.
func (s *Service) Attach(ctx context.Context, o ledger.Owner, side Part, p upload.Picture) (View, error) {
	if !side.isSide() {
		return View{}, errs.Field("side", "field.choice")
	}
	var kept string
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.forget(nil, kept); err != nil { // left by a retried transaction
			return err
		}
		kept = ""
		a, err := s.lockOrBeginTx(ctx, tx, o)
		if err != nil {
			return err
		}
		documents, err := documentsTx(tx, a.ID, false)
		if err != nil {
			return err
		}
		if err := a.mayAttach(len(documents)); err != nil {
			return err
		}
		before := current(documents, side)
		if err := a.mayReplace(before); err != nil {
			return err
		}
		d, err := s.keepTx(ctx, tx, a, side, p)
		if err != nil {
			return err
		}
		kept = d.FileName
		if err := s.replaceTx(tx, a, before, d); err != nil {
			return err
		}
		was := summary(a, nil)
		if err := moveTx(tx, &a, map[string]any{}); err != nil {
			return err
		}
		return s.recordTx(ctx, tx, o.Actor(), "kyc.attach", was, a, details{"side": side, "document": d.ID})
	})
	if err != nil {
		return View{}, s.forget(err, kept)
	}
	return s.Find(ctx, o.TraderID)
}

// Result is the result of a keyed write on an application.
type Result = idempotency.Result[View]

// Submit submits the application in the version that the trader saw, once per key, and returns the View.
// Refusals: missing fields, ErrState, ErrChanged, ErrAttempts, ErrAsked, ErrAge, trader.ErrGuest.
func (s *Service) Submit(ctx context.Context, o ledger.Owner, version int, r idempotency.Request) (Result, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (View, error) {
		a, country, err := s.lockOwnTx(ctx, tx, o.TraderID)
		if err != nil {
			return View{}, err
		}
		if a.Editable() && a.Version != version {
			return View{}, ErrChanged
		}
		data, documents, err := s.completeTx(ctx, tx, a)
		if err != nil {
			return View{}, err
		}
		hash, err := s.vault.Tag("number", []byte(fmt.Sprintf("%s|%s|%s", a.Country, a.DocumentType, data.plainNumber())))
		if err != nil {
			return View{}, err
		}
		now := s.clock.Now()
		if err := s.dropTx(tx, a, documents); err != nil {
			return View{}, err
		}
		a.NumberHash = hash
		hints, err := s.hints(ctx, tx.Conn, a, data, country, now)
		if err != nil {
			return View{}, err
		}
		before := summary(a, nil)
		err = moveTx(tx, &a, staff.Released(map[string]any{
			"state": Submitted, "attempt": a.next(), "submitted_at": now, "number_hash": hash, "risks": Risks(nil).with(hints),
			"maker_id": nil, "lead_id": nil, "proposal": nil, "public_reason": nil, "internal_reason": nil, "decided_at": nil,
		}))
		if err != nil {
			return View{}, err
		}
		return s.doneTx(ctx, tx, o, "kyc.submit", before, a)
	})
}

// completeTx refuses an incomplete or invalid application.
func (s *Service) completeTx(ctx context.Context, tx *db.Tx, a Application) (data Data, documents []Document, err error) {
	switch {
	case !a.Editable():
		return data, nil, ErrState
	case a.AttemptsLeft() <= 0:
		return data, nil, ErrAttempts.With("limit", MaxAttempts)
	case a.Country == "":
		return data, nil, errs.Field("country", "field.required")
	case a.DocumentType == "":
		return data, nil, errs.Field("documentType", "field.required")
	case a.DataReason != nil:
		return data, nil, ErrAsked
	}
	if data, err = s.open(ctx, tx.Conn, a); err != nil {
		return data, nil, err
	}
	now := s.clock.Now()
	switch name := data.missing(); {
	case name != "":
		return data, nil, errs.Field(name, "field.required")
	case !data.ofAge(now):
		return data, nil, ErrAge.With("years", adult)
	case data.expired(now):
		return data, nil, errs.Field("expiryDate", "field.future")
	}
	if documents, err = documentsTx(tx, a.ID, true); err != nil {
		return data, nil, err
	}
	for _, side := range a.Sides() {
		switch d := current(documents, side); {
		case d == nil:
			return data, nil, errs.Field(string(side), "field.required")
		case d.Decision == Refused:
			return data, nil, ErrAsked
		}
	}
	return data, documents, nil
}

// dropTx shreds the pictures that the document type does not need.
func (s *Service) dropTx(tx *db.Tx, a Application, documents []Document) error {
	for _, d := range documents {
		if slices.Contains(a.Sides(), d.Side) {
			continue
		}
		if err := s.shredTx(tx, d, nil); err != nil {
			return err
		}
	}
	return nil
}

// Withdraw takes back an unclaimed application, once per key, and returns the View: it may be edited and submitted again, and the attempt does not
// count.
// Refusals: ErrState, ErrChanged, trader.ErrGuest.
func (s *Service) Withdraw(ctx context.Context, o ledger.Owner, version int, r idempotency.Request) (Result, error) {
	return idempotency.Do(ctx, s.db, r, func(tx *db.Tx) (View, error) {
		a, _, err := s.lockOwnTx(ctx, tx, o.TraderID)
		if err != nil {
			return View{}, err
		}
		switch {
		case a.State != Submitted:
			return View{}, ErrState
		case a.Version != version:
			return View{}, ErrChanged
		}
		back := Draft
		if a.Attempt > 1 {
			back = Resubmission
		}
		before := summary(a, nil)
		if err := moveTx(tx, &a, map[string]any{"state": back, "attempt": a.Attempt - 1, "submitted_at": nil}); err != nil {
			return View{}, err
		}
		return s.doneTx(ctx, tx, o, "kyc.withdraw", before, a)
	})
}

// doneTx updates the trader's status after the trader's act, and writes its audit entry.
func (s *Service) doneTx(ctx context.Context, tx *db.Tx, o ledger.Owner, action, before string, a Application) (View, error) {
	if err := s.updateStatusTx(tx, a.TraderID); err != nil {
		return View{}, err
	}
	if err := s.recordTx(ctx, tx, o.Actor(), action, before, a, nil); err != nil {
		return View{}, err
	}
	return viewTx(tx, a.TraderID)
}

// Picture reads the trader's own picture while the application is a draft. Refusals: the field, ErrNoImage.
func (s *Service) Picture(ctx context.Context, traderID int64, side Part) ([]byte, error) {
	if !side.isSide() {
		return nil, errs.Field("side", "field.choice")
	}
	var found *Document
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		found = nil
		list, err := newestTx(tx, traderID, 1)
		if err != nil || len(list) == 0 || list[0].State != Draft {
			return err
		}
		documents, err := documentsTx(tx, list[0].ID, true)
		found = current(documents, side)
		return err
	})
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, ErrNoImage
	}
	return s.picture(ctx, traderID, *found)
}
