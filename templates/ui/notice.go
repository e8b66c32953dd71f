package ui

import "github.com/a-h/templ"

// AlertView is a message that stays where it belongs: an error on its row, a refusal, a change.
type AlertView struct {
	ID    string
	Tone  Tone
	Icon  IconName // the usual one of the tone when empty
	Title string   // half bold
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

// EmptyView says why there is nothing and the one next step.
type EmptyView struct {
	Icon   IconName // a check when empty
	Text   string
	Action string
	Href   string
}

// FlashView is what the server did, or what has happened, in one line. Undo only where nothing left the house.
type FlashView struct {
	Icon IconName // a check when empty
	Text string
	Undo Path
	Open Path // leads to what has happened
}

func (f FlashView) icon() IconName {
	if f.Icon == "" {
		return IconCheck
	}
	return f.Icon
}

// seconds are how long the line stays: longer where there is something to press.
func (f FlashView) seconds() string {
	if f.Undo.String()+f.Open.String() != "" {
		return "8"
	}
	return "5"
}

// DialogView is the frame of a decision: verb, object and role in the title; facts in the order
// they are checked; proof; and a footer with refusal at the start and the act at the end.
type DialogView struct {
	ID       string // of the element, "decision" when empty
	Title    string
	Note     string
	Form     FormView        // carries the version seen and the key of the request
	Facts    templ.Component // what is checked
	Proof    templ.Component // last four, code: asked after the facts
	Refuse   []ButtonView    // at the start
	FootNote string
	Cancel   string     // "Cancel" when empty
	Act      ButtonView // at the end, with the amount in its words
	Calm     bool       // the focus begins on Cancel, though there are fields
	Side     bool       // stands at the end of the page, so that the row stays in sight
}

func (d DialogView) id() string {
	if d.ID == "" {
		return "decision"
	}
	return d.ID
}

// ViewerView is a proof image. It is only looked at: there is no download.
type ViewerView struct {
	ID     string
	Title  string
	Note   string // for example "1 of 1"
	Image  Path
	Alt    string
	Window Path   // the same on a second monitor
	Second Path   // a page of its own that stays in sync, for a second monitor
	Later  bool   // the script fetches the image when it comes to the front
	Mark   string // for example "Watermarked, views are logged"
	Adjust bool   // brightness and contrast too
}
