package cashdesk

import (
	"errors"
	"fmt"
	"strings"

	"candor/admin/desk"
	"candor/app/deposit"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// proof sends the picture of a deposit into its page; each look is an entry of the audit log.
func (s Services) proof(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if err := r.MayShow(); err != nil {
		return err
	}
	raw, err := s.Deposits.Picture(r.Context.Request().Context(), by(r), id)
	if errors.Is(err, deposit.ErrFile) {
		return deposit.ErrUnknown
	}
	if err != nil {
		return fmt.Errorf("read the proof of deposit %d: %w", id, err)
	}
	if err := r.SendPicture(raw, number(id)); err != nil {
		return fmt.Errorf("send the proof of deposit %d: %w", id, err)
	}
	return nil
}

// picture is the proof in its viewer, with what is known of it.
func (m matter) picture() *cashview.Proof {
	return &cashview.Proof{
		Viewer: ui.ViewerView{
			ID: key(m.ID) + "-proof", Title: m.T("deposit.proof"), Note: m.T("deposit.proof.one"), Image: below(m.ID, "proof"),
			Alt:  m.T("deposit.proof.alt", "number", m.Number()),
			Mark: m.T("deposit.proof.mark", "name", m.watermark, "at", m.At(m.Now), "number", m.Number()),
		},
		Facts: []ui.Fact{
			m.seenBefore(),
			{Label: m.T("deposit.proof.clean"), Value: m.T("deposit.yes"), Tone: ui.ToneSuccess},
			{Label: m.T("deposit.proof.size"), Value: m.T("deposit.proof.pixels", "width", m.File.Width, "height", m.File.Height, "kb", (m.File.Size+1023)/1024), Muted: true},
		},
	}
}

// seenBefore tells which other deposits carry the same picture.
func (m matter) seenBefore() ui.Fact {
	fact := ui.Fact{Label: m.T("deposit.proof.seen"), Value: m.T("deposit.no"), Tone: ui.ToneSuccess}
	if len(m.SeenBefore) == 0 {
		return fact
	}
	numbers := make([]string, len(m.SeenBefore))
	for i, id := range m.SeenBefore {
		numbers[i] = number(id)
	}
	fact.Tone, fact.Value = ui.ToneError, strings.Join(numbers, ", ")
	if len(numbers) == 1 {
		fact.Href = address(m.SeenBefore[0]).String()
	}
	return fact
}
