package cashdesk

import (
	"errors"
	"fmt"
	"strings"

	"candor/admin/desk"
	"candor/app/deposit"
	"candor/app/platform/upload"
	"candor/templates/caseview"
	"candor/templates/cashview"
	"candor/templates/ui"
)

// proof sends the proof's picture into its page; the audit log records each view.
func (s Services) proof(r *desk.Request) error {
	id, err := r.ID("id")
	if err != nil {
		return err
	}
	if err := r.MayShow(); err != nil {
		return err
	}
	d, err := s.Deposits.Read(r.Context.Request().Context(), id)
	if err != nil {
		return err
	}
	if err := r.MayRead(d.TraderID); err != nil {
		return err
	}
	raw, err := s.Deposits.Picture(r.Context.Request().Context(), r.Actor(), id)
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

// picture is the proof in its viewer, with its facts.
func (cc caseContext) picture() []caseview.Section {
	viewer := ui.ViewerView{
		ID: cc.About().Key() + "-proof", Title: cc.T("deposit.proof"), Note: cc.T("deposit.proof.one"), Image: cc.About().Below("proof"),
		Alt:  cc.T("deposit.proof.alt", "number", cc.Number()),
		Mark: cc.T("deposit.proof.mark", "name", cc.watermark, "at", cc.At(cc.Now), "number", cc.Number()),
	}
	facts := []ui.Fact{
		cc.seenBefore(),
		{Label: cc.T("deposit.proof.clean"), Value: cc.T("deposit.yes"), Tone: ui.ToneSuccess},
		{Label: cc.T("deposit.proof.size"), Value: cc.T("deposit.proof.pixels", "width", cc.File.Width, "height", cc.File.Height, "kb", (cc.File.Size+1023)/1024), Muted: true},
	}
	if pages := cc.File.Pages; pages > 0 {
		shown := ui.Fact{Label: cc.T("deposit.proof.pdf"), Value: cc.T("deposit.proof.pages", "shown", min(pages, upload.PDFPages), "pages", pages)}
		if pages > upload.PDFPages {
			shown.Tone = ui.ToneWarning
		}
		facts = append(facts, shown)
	}
	return []caseview.Section{{Body: ui.Viewer(viewer)}, {Body: cashview.ProofFacts(facts)}}
}

// seenBefore lists the other deposits with the same picture.
func (cc caseContext) seenBefore() ui.Fact {
	fact := ui.Fact{Label: cc.T("deposit.proof.seen"), Value: cc.T("deposit.no"), Tone: ui.ToneSuccess}
	if len(cc.SeenBefore) == 0 {
		return fact
	}
	numbers := make([]string, len(cc.SeenBefore))
	for i, id := range cc.SeenBefore {
		numbers[i] = number(id)
	}
	fact.Tone, fact.Value = ui.ToneError, strings.Join(numbers, ", ")
	if len(numbers) == 1 {
		fact.Href = address(cc.SeenBefore[0]).String()
	}
	return fact
}
