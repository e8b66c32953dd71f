// Package notice publishes what the product tells traders: notices, news, questions with their answers, banners, pop-ups and pages, each in many languages,
// and messages that are one trader's alone.
package notice

import (
	"slices"
	"time"

	"candor/app/platform/clock"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/events"
	"candor/app/switches"
)

// Kind is what an item is to its readers.
type Kind string

// The kinds of items.
const (
	Notice Kind = "notice" // in every trader's mailbox
	News   Kind = "news"
	FAQ    Kind = "faq" // a question, its answer in the body
	Banner Kind = "banner"
	Popup  Kind = "popup"
	Page   Kind = "page" // that the app asks for by its key
)

// Kinds lists them in the order to show.
var Kinds = []Kind{Notice, News, FAQ, Banner, Popup, Page}

// Categories lists those of each kind, in the order to show.
var Categories = map[Kind][]string{
	Notice: {"general", "system", "maintenance", "assets", "listing", "activity", "legal"},
	News:   {"market", "product", "company"},
	FAQ:    {"trading", "money", "identity", "account", "proof"},
	Banner: {"general"},
	Popup:  {"general", "maintenance", "legal"},
	Page:   {"about", "legal"},
}

// Placements lists where items of each kind may stand, the usual place first.
var Placements = map[Kind][]string{
	Notice: {"list", "strip", "ticker"}, // the strip in the page and the line in the app bar show them besides
	News:   {"list"},
	FAQ:    {"list"},
	Banner: {"home"},
	Popup:  {"home"},
	Page:   {"page"},
}

// PageKeys are the pages that the app shows.
var PageKeys = []string{"about", "terms", "risk", "privacy", "fees"}

// Severities lists how grave an item may be.
var Severities = []string{"info", "warning", "danger"}

// Audiences lists who an item may be for: everybody, visitors, traders, or traders whose identity is verified.
var Audiences = []string{"all", "guests", "traders", "verified"}

// Platforms lists the apps that an item may be for, as they name themselves: the one in the browser.
var Platforms = []string{"1"}

// Frequencies lists how often a pop-up may show. To a visitor, who never logs in, every log-in is once a day.
var Frequencies = []string{Once, Daily, EveryLogin}

// The frequencies.
const (
	Once       = "once"
	Daily      = "daily"
	EveryLogin = "every_login"
)

// Default is the language without which nothing is published, and the first that others fall back to.
const Default = "en"

// second is the language to fall back to where there is no English.
const second = "zh_CN"

// Locales lists the product's languages, the default first.
var Locales = []string{
	"en", "zh_CN", "zh_tw", "ko", "ja", "de", "ru", "th", "ar", "pt", "fr", "es", "tr", "hi", "kk", "ms", "id", "ur", "vn", "mn", "uz", "cs", "nl", "it", "pl", "ka",
}

// RightToLeft tells whether a language is written so.
func RightToLeft(locale string) bool { return locale == "ar" || locale == "ur" }

// Settings are what a revision says besides its texts.
type Settings struct {
	Category, Placement, Severity, Audience string
	Countries, Languages, Platforms         []string // none is every one
	StartsAt, EndsAt                        *time.Time
	Zone                                    string // in which the moments were chosen, as the IANA names it
	Sticky                                  bool
	Link                                    string // a route of the app, or an address with https; empty for none
	Source                                  string // of news
	Frequency                               string
	MustAck                                 bool   // a pop-up that is closed only by saying that it was read
	Image                                   []byte // the hash of a picture; none without
}

// Text is a revision in one language.
type Text struct {
	Locale  string
	Title   string
	Summary string // plain
	Body    string // HTML of the elements that Clean lets through
	Alt     string // what the picture shows
}

// Viewer is who reads. A visitor has no TraderID.
type Viewer struct {
	switches.Viewer
	TraderID  int64
	SessionID int64
	Guest     bool   // nobody has registered behind the session
	Device    string // what the app of a visitor calls its device; only a hash of it is kept
}

// ErrUnknown is returned for what is not there, or not for this reader.
var ErrUnknown = errs.New(errs.NotFound, "notice.unknown")

// Service is what the doors call.
type Service struct {
	db       *db.DB
	clock    clock.Clock
	switches *switches.Service
	bus      *events.Bus

	mostReached float64
}

// New makes the service.
func New(d *db.DB, c clock.Clock, sw *switches.Service, bus *events.Bus) *Service {
	return &Service{db: d, clock: c, switches: sw, bus: bus, mostReached: mostReached}
}

// known tells whether a language is one of the product's.
func known(locale string) bool { return slices.Contains(Locales, locale) }
