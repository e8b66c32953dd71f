// Package wire has the types of the contract, generated from openapi.yaml, and the conversions to them that the JSON API and the websocket server share.
package wire

import (
	"time"

	"candor/app/platform/money"
	"candor/app/support"
)

//go:generate go tool oapi-codegen -config oapi.yaml -o types.gen.go ../api/openapi.yaml

// Lots formats a volume.
func Lots(v int64) string { return money.Trim(v, money.Scale) }

// USDT formats an amount.
func USDT(v int64) string { return money.Trim(v, money.Scale) }

// Milliseconds is a time in milliseconds since 1970; nil for the zero time.
func Milliseconds(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}

// Moment is Milliseconds for a time that may be absent.
func Moment(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	return Milliseconds(*t)
}

// NonZero is a value that the zero value leaves out.
func NonZero[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

// MessageOf converts a message of a conversation.
func MessageOf(m support.Message) ChatMessage {
	out := ChatMessage{
		Id: m.ID, ConvId: m.ConversationID, ClientId: m.ClientID, SenderType: ChatMessageSenderType(m.Author), SenderName: NonZero(m.StaffName), Type: ChatMessageType(m.Kind), Body: m.Body,
		Masked: NonZero(m.Masked), Image: m.Picture, Pages: NonZero(m.Pages), CardId: m.CardID, CreatedAt: m.At.UnixMilli(),
	}
	if m.CardKind != "" {
		kind := ChatCardKind(m.CardKind)
		out.CardKind = &kind
	}
	return out
}
