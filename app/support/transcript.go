package support

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/i18n"
	"candor/app/trader"
)

const (
	transcriptSize  = 200              // the newest messages of a conversation that a transcript has
	transcriptPause = 10 * time.Minute // between two transcripts of a conversation
)

// ErrTranscriptRecent refuses a second transcript of a conversation within transcriptPause.
var ErrTranscriptRecent = errs.New(errs.TooMany, "chat.transcript_recent")

// MailTranscript mails one of a trader's own conversations to their e-mail address: what both sides wrote, without notes and events. Of concurrent calls one
// succeeds. Refusals: ErrUnknown, ErrTranscriptRecent, trader.ErrNoEmail.
func (s *Service) MailTranscript(ctx context.Context, by audit.Actor, conversationID int64) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		c, err := one(tx.Rows, "id = ? AND trader_id = ?", conversationID, by.ID)
		switch {
		case err != nil:
			return err
		case c.ID == 0:
			return ErrUnknown
		}
		now := s.clock.Now()
		taken, err := tx.Conn.Exec(ctx, `UPDATE conversations SET transcript_at = $2 WHERE id = $1 AND (transcript_at IS NULL OR transcript_at <= $3)`,
			c.ID, now, now.Add(-transcriptPause))
		switch {
		case err != nil:
			return fmt.Errorf("record the transcript of conversation %d: %w", c.ID, err)
		case taken.RowsAffected() == 0:
			return ErrTranscriptRecent
		}
		list, err := messages(ctx, tx.Conn, tx.Rows.Where("conversation_id = ? AND NOT private AND kind <> 'event'", c.ID).Order("id DESC").Limit(transcriptSize+1))
		if err != nil {
			return err
		}
		cut := len(list) > transcriptSize
		if cut {
			list = list[:transcriptSize]
		}
		slices.Reverse(list)
		letter := trader.Letter{TraderID: by.ID, Key: "message.chat_transcript", Write: func(language string, say trader.Translate) (string, string, error) {
			return newTranscript(c, list, cut, language, say).write()
		}}
		if err := s.messenger.LetterTx(ctx, tx, letter); err != nil {
			return err
		}
		return audit.RecordTx(ctx, tx, audit.By(by, now, "chat.transcript", "conversation", c.ID))
	})
}

// transcript is the content of the mail.
type transcript struct {
	Language, Direction string
	Intro, Cut          string // Cut is empty for a whole conversation
	Lines               []line
}

// line is one message as the mail shows it.
type line struct {
	At, Name string
	Own      bool
	Attached string // names a picture or a card; empty without
	Text     string
}

func newTranscript(c Conversation, list []Message, cut bool, language string, say trader.Translate) transcript {
	zone, _ := c.Location()
	t := transcript{
		Language: strings.ReplaceAll(language, "_", "-"), Direction: i18n.Direction(language),
		Intro: say("message.chat_transcript.body", map[string]any{"number": c.ID, "zone": zone.String()}),
	}
	if cut {
		t.Cut = say("message.chat_transcript.newest", map[string]any{"count": len(list)})
	}
	for _, m := range list {
		t.Lines = append(t.Lines, lineOf(m, zone, say))
	}
	return t
}

func lineOf(m Message, zone *time.Location, say trader.Translate) line {
	l := line{At: m.At.In(zone).Format("2006-01-02 15:04"), Name: m.StaffName, Own: m.Author == ByCustomer, Text: m.Body}
	switch {
	case l.Own:
		l.Name = say("kefu.you", nil)
	case l.Name == "":
		l.Name = say("kefu.agent", nil)
	}
	switch m.Kind {
	case Picture:
		what := "picture"
		if m.Pages > 0 {
			what = "pdf"
		}
		l.Attached = say("message.chat_transcript."+what, nil)
	case Card:
		l.Attached = say("kefu.card."+m.CardKind, nil) + " " + m.CardNumber()
	case Text, Note, Mail, PhoneCall, System:
	}
	return l
}

// CardNumber is the number of a card as its owner knows it: DP-1, WD-1, and 1 for an order.
func (m Message) CardNumber() string {
	prefix := map[string]string{"deposit": "DP-", "withdrawal": "WD-"}[m.CardKind]
	return prefix + fmt.Sprint(given(m.CardID))
}

//go:embed transcript.html
var transcriptPage string

// transcriptTemplate escapes every text that people wrote.
var transcriptTemplate = template.Must(template.New("transcript").Parse(transcriptPage))

// write returns the mail as a text and as a page.
func (t transcript) write() (text, page string, err error) {
	var html strings.Builder
	if err := transcriptTemplate.Execute(&html, t); err != nil {
		return "", "", err
	}
	return t.text(), html.String(), nil
}

func (t transcript) text() string {
	parts := []string{t.Intro}
	if t.Cut != "" {
		parts = append(parts, t.Cut)
	}
	for _, l := range t.Lines {
		part := l.At + "  " + l.Name
		for _, words := range []string{l.Attached, l.Text} {
			if words != "" {
				part += "\n" + words
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n\n") + "\n"
}
