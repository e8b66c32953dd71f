package trader

import "encoding/json"

// facts are what an audit entry says of an act.
type facts map[string]any

// json is the facts as an audit entry stores them; empty without any.
func (f facts) json() string {
	if len(f) == 0 {
		return ""
	}
	text, _ := json.Marshal(f) // texts and numbers always encode
	return string(text)
}
