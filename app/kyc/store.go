package kyc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"

	"candor/app/audit"
	"candor/app/ledger"
	"candor/app/platform/db"
	"candor/app/platform/upload"
	"candor/app/platform/vault"
	"candor/app/trader"
)

// newestTx reads a trader's applications, newest first.
func newestTx(tx *db.Tx, traderID int64, limit int) (list []Application, err error) {
	if err = tx.Rows.Where("trader_id = ?", traderID).Order("id DESC").Limit(limit).Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the applications of trader %d: %w", traderID, err)
	}
	return list, nil
}

// lockTraderTx serializes all acts on one trader's identity, and reads the country of registration. Refusals: ledger.ErrAccount for an unknown
// trader, trader.ErrGuest.
func lockTraderTx(ctx context.Context, tx *db.Tx, traderID int64) (country string, err error) {
	if err := vault.LockTx(ctx, tx); err != nil {
		return "", err
	}
	return trader.LockRegisteredTx(tx, traderID)
}

// lockOwnTx locks and reads the trader's newest application. Refusals: ErrState when there is none, trader.ErrGuest.
func (s *Service) lockOwnTx(ctx context.Context, tx *db.Tx, traderID int64) (a Application, country string, err error) {
	if country, err = lockTraderTx(ctx, tx, traderID); err != nil {
		return a, "", err
	}
	list, err := newestTx(tx, traderID, 1)
	if err != nil {
		return a, "", err
	}
	if len(list) == 0 {
		return a, "", ErrState
	}
	return list[0], country, nil
}

// lockOrBeginTx is lockOwnTx that begins an application when none is open and a new one is allowed.
func (s *Service) lockOrBeginTx(ctx context.Context, tx *db.Tx, o ledger.Owner) (Application, error) {
	if _, err := lockTraderTx(ctx, tx, o.TraderID); err != nil {
		return Application{}, err
	}
	list, err := newestTx(tx, o.TraderID, 1)
	if err != nil {
		return Application{}, err
	}
	if len(list) > 0 && !list[0].mayBeginAnother() {
		return list[0], nil
	}
	a := Application{TraderID: o.TraderID, State: Draft, Version: 1, CreatedAt: s.clock.Now()}
	if err := tx.Rows.Create(&a).Error; err != nil {
		return a, fmt.Errorf("begin an application: %w", err)
	}
	return a, s.updateStatusTx(tx, o.TraderID)
}

// moveTx writes columns if the row still has the version and the state that were read, raises the version, and reads the row back.
func moveTx(tx *db.Tx, a *Application, columns map[string]any) error {
	columns["version"] = a.Version + 1
	result := tx.Rows.Model(&Application{}).Where("id = ? AND state = ? AND version = ?", a.ID, a.State, a.Version).Updates(columns)
	if err := db.MustAffect(result); err != nil {
		return fmt.Errorf("move application %d: %w", a.ID, err)
	}
	var moved Application
	if err := tx.Rows.Where("id = ?", a.ID).Take(&moved).Error; err != nil {
		return fmt.Errorf("read application %d back: %w", a.ID, err)
	}
	*a = moved
	return nil
}

// updateStatusTx sets the trader's status in the app and the level that limits use, from the trader's applications.
func (s *Service) updateStatusTx(tx *db.Tx, traderID int64) error {
	list, err := newestTx(tx, traderID, 2)
	if err != nil {
		return err
	}
	status, limitsLevel := authStatus(list)
	return trader.SetAuthTx(tx, traderID, status, limitsLevel)
}

// details are the facts of an act beyond the application.
type details map[string]any

// recordTx writes the audit entry of an act; it contains none of the trader's data.
func (s *Service) recordTx(ctx context.Context, tx *db.Tx, by audit.Actor, action, before string, a Application, about details) error {
	entry := audit.By(by, s.clock.Now(), action, "kyc", a.ID)
	entry.Before, entry.After = before, summary(a, about)
	return audit.RecordTx(ctx, tx, entry)
}

// summary is the application in the audit log, before or after an act.
func summary(a Application, about details) string {
	facts := map[string]any{
		"state": a.State, "attempt": a.Attempt, "country": a.Country, "documentType": a.DocumentType, "claimedBy": a.ClaimedBy, "maker": a.MakerID, "lead": a.LeadID,
		"proposal": a.Proposal, "risks": a.Risks, "publicReason": a.PublicReason, "internalReason": a.InternalReason, "dataReason": a.DataReason, "level": a.Level,
		"marks": a.Marks,
	}
	maps.Copy(facts, about)
	text, _ := json.Marshal(facts)
	return string(text)
}

// seal seals one field of the data; an empty text clears it.
func (s *Service) seal(a Application, f sealedField, text string) (key, sealed any, err error) {
	if text == "" {
		return nil, nil, nil
	}
	secret, err := s.vault.Seal(a.associated(f), []byte(text))
	if err != nil {
		return nil, nil, err
	}
	return secret.WrappedKey, secret.Ciphertext, nil
}

// open opens the data; missing fields are empty. Inside a transaction q is that transaction.
func (s *Service) open(ctx context.Context, q db.Querier, a Application) (d Data, err error) {
	texts := map[string]string{}
	for _, f := range a.fields() {
		if f.key == nil {
			continue
		}
		text, err := fieldKey(f.column).Open(ctx, q, s.vault, a.ID, a.associated(f), f.secret())
		if err != nil {
			return Data{}, fmt.Errorf("open the %s of application %d: %w", f.column, a.ID, err)
		}
		texts[f.name] = string(text)
	}
	return Data{texts["fullName"], texts["number"], texts["birthDate"], texts["expiryDate"]}, nil
}

// documentsTx reads the pictures of an application, oldest first.
func documentsTx(tx *db.Tx, applicationID int64, onlyCurrent bool) (list []Document, err error) {
	rows := tx.Rows.Where("application_id = ?", applicationID)
	if onlyCurrent {
		rows = rows.Where("current")
	}
	if err = rows.Order("id").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the pictures of application %d: %w", applicationID, err)
	}
	return list, nil
}

// keepTx seals a picture, stores its ciphertext in the folder and prepares its row.
func (s *Service) keepTx(ctx context.Context, tx *db.Tx, a Application, side Part, p upload.Picture) (d Document, err error) {
	d = Document{
		ApplicationID: a.ID, Side: side, Attempt: a.next(), Width: p.Width, Height: p.Height, Decision: Pending, Current: true, CreatedAt: s.clock.Now(),
	}
	if err := tx.Conn.QueryRow(ctx, `SELECT nextval(pg_get_serial_sequence('kyc_documents', 'id'))`).Scan(&d.ID); err != nil {
		return d, fmt.Errorf("number a picture: %w", err)
	}
	secret, err := s.vault.Seal(d.associated(a.TraderID), p.Bytes)
	if err != nil {
		return d, err
	}
	if d.PictureHash, err = s.vault.Tag("picture", p.SHA256[:]); err != nil {
		return d, err
	}
	d.SealedKey = secret.WrappedKey
	d.FileName, err = s.folder.Put(secret.Ciphertext)
	return d, err
}

// replaceTx replaces the former picture of a side. A picture of an earlier attempt stays viewable, one of this attempt is shredded.
func (s *Service) replaceTx(tx *db.Tx, a Application, before *Document, d Document) error {
	if before != nil {
		if err := db.MustAffect(tx.Rows.Model(&Document{}).Where("id = ? AND current", before.ID).Update("current", false)); err != nil {
			return fmt.Errorf("replace picture %d: %w", before.ID, err)
		}
	}
	if err := tx.Rows.Create(&d).Error; err != nil {
		return fmt.Errorf("record a picture: %w", err)
	}
	if before == nil {
		return nil
	}
	if before.Attempt == a.next() {
		return s.shredTx(tx, *before, &d.ID)
	}
	err := tx.Rows.Model(&Document{}).Where("id = ?", before.ID).Update("replaced_by", d.ID).Error
	if err != nil {
		return fmt.Errorf("replace picture %d: %w", before.ID, err)
	}
	return nil
}

// shredTx deletes the wrapped key of a picture, and its ciphertext after the commit.
func (s *Service) shredTx(tx *db.Tx, d Document, replacedBy *int64) error {
	err := tx.Rows.Model(&Document{}).Where("id = ?", d.ID).Updates(map[string]any{"current": false, "sealed_key": nil, "replaced_by": replacedBy}).Error
	if err != nil {
		return fmt.Errorf("shred picture %d: %w", d.ID, err)
	}
	tx.AfterCommit(func() {
		if err := s.folder.Remove(d.FileName); err != nil {
			slog.Warn("the ciphertext of a shredded picture stays", "document", d.ID, "error", err)
		}
	})
	return nil
}

// forget removes the ciphertext of a picture whose row was not written.
func (s *Service) forget(err error, name string) error {
	if name == "" {
		return err
	}
	return errors.Join(err, s.folder.Remove(name))
}

// picture opens a picture.
func (s *Service) picture(ctx context.Context, traderID int64, d Document) ([]byte, error) {
	if d.Shredded() {
		return nil, ErrNoImage
	}
	ciphertext, err := s.folder.Get(d.FileName)
	if err != nil {
		return nil, fmt.Errorf("read picture %d: %w", d.ID, err)
	}
	bytes, err := pictureKey.Open(ctx, s.db.Pool, s.vault, d.ID, d.associated(traderID), vault.Sealed{WrappedKey: d.SealedKey, Ciphertext: ciphertext})
	if err != nil {
		return nil, fmt.Errorf("open picture %d: %w", d.ID, err)
	}
	return bytes, nil
}
