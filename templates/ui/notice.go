package ui

import (
	"cmp"

	"github.com/a-h/templ"
)

// AlertView is a message shown in its place: an error on its row, a refusal, a change.
type AlertView struct {
	ID    string
	Tone  Tone
	Icon  IconName // the default of the tone when empty
	Title string   // semibold
	Text  string
}

func (a AlertView) icon() IconName {
	if a.Icon != "" {
		return a.Icon
	}
	switch a.Tone {
	case ToneSuccess:
		return IconCheck
	case ToneWarning, ToneError:
		return IconWarning
	case ToneNormal:
		return IconQuestion
	default:
		return IconInfo
	}
}

func (a AlertView) role() string {
	if a.Tone == ToneError || a.Tone == ToneWarning {
		return "alert"
	}
	return "status"
}

// EmptyView is the reason for an empty list, and the one next step.
type EmptyView struct {
	Icon   IconName // a check when empty
	Text   string
	Action string
	Href   string
}

// FlashView is one line about a completed act or an event. Undo is offered only while nothing was sent outside.
type FlashView struct {
	Icon IconName // a check when empty
	Text string
	Undo Path
	Open Path // leads to the event
}

func (f FlashView) icon() IconName {
	if f.Icon == "" {
		return IconCheck
	}
	return f.Icon
}

// seconds is how long the line is shown: longer with a button.
func (f FlashView) seconds() string {
	if f.Undo.String()+f.Open.String() != "" {
		return "8"
	}
	return "5"
}

// DialogView is the frame of a decision: verb, object and role in the title; facts in the order of checking; proof; and a footer with the refusal at the start
// and the act at the end.
type DialogView struct {
	ID       string // of the decision, whose fields keep their own; "decision" when empty
	Title    string
	Note     string
	Form     FormView        // carries the version seen and the idempotency key
	Facts    templ.Component // the facts to check
	Proof    templ.Component // last four characters and code, after the facts
	Refuse   []ButtonView    // at the start
	FootNote string
	Cancel   string     // "Cancel" when empty
	Act      ButtonView // at the end, with the amount in its words
	Calm     bool       // the initial focus is on Cancel, although there are fields
	Side     bool       // placed at the end of the page, so that the row stays visible
}

func (d DialogView) id() string {
	return cmp.Or(d.ID, "decision") + "-dialog"
}

// ViewerView is a proof image. It can be viewed, not downloaded.
type ViewerView struct {
	ID     string
	Title  string
	Note   string // for example "1 of 1"
	Image  Path
	Alt    string
	Window Path   // the same image on a second monitor
	Second Path   // a separate page that stays in sync, for a second monitor
	Later  bool   // the script loads the image when it is shown
	Mark   string // for example "Watermarked, views are logged"
	Adjust bool   // with brightness and contrast
}
