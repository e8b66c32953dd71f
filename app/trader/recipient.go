package trader

import (
	"html"
	"strings"

	"candor/app/platform/mail"
)

// recipient is where a message goes, in which language, and the phrase that the trader knows our mails by.
type recipient struct {
	address
	language, phrase string
}

// address is the contact that codes go to: the e-mail address, for a trader who has one.
func (t Trader) address() address {
	if t.Email != nil || t.Phone == nil {
		return address{t.Contact(MailContact), false}
	}
	return address{*t.Phone, true}
}

func (t Trader) recipient() recipient { return t.recipientAt(t.address()) }

// recipientAt is the trader at one of their contacts.
func (t Trader) recipientAt(a address) recipient { return recipient{a, t.Language, t.Phrase} }

// contactless reports whether codes and mails reach the trader nowhere: the only way in is a wallet. Guests have no contact either.
func (t Trader) contactless() bool { return t.Email == nil && t.Phone == nil }

// contacts are all of the trader's contacts.
func (t Trader) contacts() (list []recipient) {
	if t.Email != nil {
		list = append(list, t.recipientAt(address{*t.Email, false}))
	}
	if t.Phone != nil {
		list = append(list, t.recipientAt(address{*t.Phone, true}))
	}
	return list
}

// phrased puts the trader's phrase over the text of a mail. Text messages are too short for it.
func (r recipient) phrased(texts Texts, body string) string {
	if r.phrase == "" || r.channel() != mail.Mail {
		return body
	}
	return r.greeting(texts) + "\n\n" + body
}

func (r recipient) greeting(texts Texts) string {
	return texts.T(r.language, "mail.phrase", map[string]any{"phrase": r.phrase})
}

// phrasedHTML is phrased for the HTML of a mail.
func (r recipient) phrasedHTML(texts Texts, page string) string {
	begins := strings.Index(page, "<body")
	if r.phrase == "" || begins < 0 {
		return page
	}
	begins += strings.IndexByte(page[begins:], '>') + 1
	return page[:begins] + "<p>" + html.EscapeString(r.greeting(texts)) + "</p>" + page[begins:]
}
