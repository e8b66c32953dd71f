// Package notice publishes content for traders: notices, news, questions with answers, banners, pop-ups and pages, each in many languages, and messages to
// one trader.
package notice

import (
	"context"
	"slices"
	"time"

	"candor/app/approval"
	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/switches"
)

// Kind is the kind of an item.
type Kind string

// The kinds of items.
const (
	Notice Kind = "notice" // in every trader's mailbox
	News   Kind = "news"
	FAQ    Kind = "faq" // a question, its answer in the body
	Banner Kind = "banner"
	Popup  Kind = "popup"
	Page   Kind = "page" // the app requests it by its key
)

// Kinds lists them in display order.
var Kinds = []Kind{Notice, News, FAQ, Banner, Popup, Page}

// Categories lists the categories of each kind in display order.
var Categories = map[Kind][]string{
	Notice: {"general", "system", "maintenance", "assets", "listing", "activity", "legal"},
	News:   {"market", "product", "company"},
	FAQ:    {"trading", "money", "identity", "account", "proof"},
	Banner: {"general"},
	Popup:  {"general", "maintenance", "legal"},
	Page:   {"about", "legal"},
}

// Placements lists the placements of each kind, the default first.
var Placements = map[Kind][]string{
	Notice: {"list", "strip", "ticker"}, // the strip on the page and the line in the app bar are additional to the list
	News:   {"list"},
	FAQ:    {"list"},
	Banner: {"home"},
	Popup:  {"home"},
	Page:   {"page"},
}

// PageKeys are the keys of the app's pages.
var PageKeys = []string{"about", "terms", "risk", "privacy", "fees"}

// Severities lists the severities of an item.
var Severities = []string{"info", "warning", "danger"}

// Audiences lists the audiences of an item: everyone, visitors, traders, or traders with a verified identity.
var Audiences = []string{"all", "guests", "traders", "verified"}

// Platforms lists the platforms that an item may target, by the apps' own codes: the web app.
var Platforms = []string{"1"}

// Frequencies lists how often a pop-up may show. For a visitor, who never logs in, every log-in means once a day.
var Frequencies = []string{Once, Daily, EveryLogin}

// The frequencies.
const (
	Once       = "once"
	Daily      = "daily"
	EveryLogin = "every_login"
)

// Default is the language that every published item needs, and the first fallback of others.
const Default = "en"

// second is the fallback when there is no English text.
const second = "zh_CN"

// Locales lists the product's languages, the default first.
var Locales = []string{
	"en", "zh_CN", "zh_tw", "ko", "ja", "de", "ru", "th", "ar", "pt", "fr", "es", "tr", "hi", "kk", "ms", "id", "ur", "vn", "mn", "uz", "cs", "nl", "it", "pl", "ka",
}

// RightToLeft reports whether a language is written right to left.
func RightToLeft(locale string) bool { return locale == "ar" || locale == "ur" }

// Settings are a revision's content besides its texts.
type Settings struct {
	Category, Placement, Severity, Audience string
	Countries, Languages, Platforms         []string `gorm:"serializer:array"` // empty means all
	StartsAt, EndsAt                        *time.Time
	Zone                                    string // IANA zone in which the times were chosen
	Sticky                                  bool
	Link                                    string // a route of the app or an https address; empty for none
	Source                                  string // of news
	Frequency                               string
	MustAck                                 bool   // a pop-up that closes only when the reader confirms it
	Image                                   []byte // the picture's hash; nil without one
}

// Text is a revision in one language.
type Text struct {
	Locale  string
	Title   string
	Summary string // plain
	Body    string // HTML cleaned by Clean
	Alt     string // description of the picture
}

// Viewer is a reader. A visitor has no TraderID.
type Viewer struct {
	switches.Viewer
	TraderID  int64
	SessionID int64
	Guest     bool   // the session belongs to a guest
	Device    string // a visitor's device id as its app sends it; only its hash is stored
}

// ErrUnknown is returned for an item that does not exist or is not visible to the reader.
var ErrUnknown = errs.New(errs.NotFound, "notice.unknown")

// Reader is what a trader's content depends on. The zero value is a trader who does not exist.
type Reader struct {
	Verified   bool      // their identity
	Since      time.Time // when the trader registered, or came as a guest
	AcceptedAt time.Time // when the trader accepted the pages of registration; zero for a guest
}

// Readers knows the traders. Package trader implements it.
type Readers interface {
	Reader(ctx context.Context, traderID int64) (Reader, error)
	// Count counts the registered traders of these countries and languages, none meaning all, at most limit.
	Count(ctx context.Context, countries, languages []string, verified bool, limit int) (int64, error)
}

// Service is the package's entry point.
type Service struct {
	db       *db.DB
	clock    clock.Clock
	switches *switches.Service
	bus      *events.Bus
	readers  Readers
	requests *approval.Service

	maxMarks float64
}

// New makes the service. Without readers it serves visitors, messages and staff; without an engine of approvals nothing is published.
func New(d *db.DB, c clock.Clock, sw *switches.Service, bus *events.Bus, readers Readers, approvals *approval.Engine) *Service {
	s := &Service{db: d, clock: c, switches: sw, bus: bus, readers: readers, maxMarks: maxMarks}
	if approvals != nil {
		s.declare(approvals)
	}
	return s
}

// known reports whether the product supports a language.
func known(locale string) bool { return slices.Contains(Locales, locale) }
