// Package ui renders the parts of every back-office page. A part takes a view model of finished words and safe paths and decides only its appearance.
package ui

import "candor/app/platform/i18n"

// t is the text of a key in the language of the request.
var t = i18n.T

// Tone is the colour of a part. Grey is normal, accent is the reader or proof, info is automatic, success is finished, warning needs a look, error is missed,
// refused or unknown.
type Tone string

// The tones. Price colours are separate: they belong to profit and loss only.
const (
	ToneNormal  Tone = ""
	ToneAccent  Tone = "accent"
	ToneInfo    Tone = "info"
	ToneSuccess Tone = "success"
	ToneWarning Tone = "warning"
	ToneError   Tone = "error"
	ToneDemo    Tone = "demo"
)

func (tone Tone) badge() string {
	switch tone {
	case ToneAccent:
		return "badge badge-soft badge-accent"
	case ToneInfo:
		return "badge badge-soft badge-info"
	case ToneSuccess:
		return "badge badge-soft badge-success"
	case ToneWarning:
		return "badge badge-soft badge-warning"
	case ToneError:
		return "badge badge-soft badge-error"
	case ToneDemo:
		return "badge badge-demo"
	default:
		return "badge"
	}
}

func (tone Tone) text() string {
	switch tone {
	case ToneAccent, ToneInfo:
		return "t-primary"
	case ToneSuccess:
		return "t-success"
	case ToneWarning:
		return "t-warning"
	case ToneError:
		return "t-error"
	default:
		return ""
	}
}

func (tone Tone) alert() string {
	switch tone {
	case ToneAccent, ToneInfo:
		return "alert alert-soft alert-info"
	case ToneSuccess:
		return "alert alert-soft alert-success"
	case ToneWarning:
		return "alert alert-soft alert-warning"
	case ToneError:
		return "alert alert-soft alert-error"
	default:
		return "alert"
	}
}
