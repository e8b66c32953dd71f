package ui

// IconName names a drawing of the icon set. The zero value draws nothing.
type IconName string

// The icons.
const (
	IconArrow        IconName = "arrow"
	IconBank         IconName = "bank"
	IconBell         IconName = "bell"
	IconBolt         IconName = "bolt"
	IconCalendar     IconName = "cal"
	IconCard         IconName = "card"
	IconChart        IconName = "chart"
	IconChat         IconName = "chat"
	IconCheck        IconName = "check"
	IconChevronDown  IconName = "dn"
	IconChevronEnd   IconName = "rt"
	IconChevronStart IconName = "lt"
	IconChevronUp    IconName = "up"
	IconClip         IconName = "clip"
	IconClock        IconName = "clock"
	IconClose        IconName = "x"
	IconContrast     IconName = "contrast"
	IconCopy         IconName = "copy"
	IconDesktop      IconName = "desktop"
	IconDocument     IconName = "doc"
	IconDoubleCheck  IconName = "tick2"
	IconDownload     IconName = "down"
	IconEdit         IconName = "edit"
	IconEye          IconName = "eye"
	IconFilter       IconName = "filter"
	IconFlag         IconName = "flag"
	IconGear         IconName = "gear"
	IconGlobe        IconName = "globe"
	IconHome         IconName = "home"
	IconIdentity     IconName = "id"
	IconIn           IconName = "in"
	IconInfo         IconName = "info"
	IconKey          IconName = "key"
	IconLaptop       IconName = "laptop"
	IconLink         IconName = "link"
	IconLock         IconName = "lock"
	IconLog          IconName = "log"
	IconMail         IconName = "mail"
	IconMenu         IconName = "menu"
	IconMoon         IconName = "moon"
	IconNote         IconName = "note"
	IconOut          IconName = "out"
	IconPanel        IconName = "side"
	IconPause        IconName = "pause"
	IconPeople       IconName = "users"
	IconPerson       IconName = "user"
	IconPhone        IconName = "phone"
	IconPlus         IconName = "plus"
	IconQuestion     IconName = "q"
	IconRetry        IconName = "retry"
	IconRotateLeft   IconName = "rotl"
	IconRotateRight  IconName = "rotr"
	IconSearch       IconName = "search"
	IconSend         IconName = "send"
	IconShield       IconName = "shield"
	IconShieldCheck  IconName = "shieldok"
	IconSignOut      IconName = "exit"
	IconSnooze       IconName = "snooze"
	IconSort         IconName = "sort"
	IconSplit        IconName = "split"
	IconSun          IconName = "sun"
	IconSwap         IconName = "swap"
	IconSwitch       IconName = "switch"
	IconTag          IconName = "tag"
	IconUndo         IconName = "undo"
	IconWarning      IconName = "warn"
	IconWindow       IconName = "window"
	IconZoomIn       IconName = "zin"
	IconZoomOut      IconName = "zout"
)

// mirrored icons follow the reading direction; they are flipped in right-to-left languages.
var mirrored = map[IconName]bool{
	IconArrow:        true,
	IconChevronEnd:   true,
	IconChevronStart: true,
	IconLog:          true,
	IconPanel:        true,
	IconSend:         true,
	IconSignOut:      true,
	IconSort:         true,
	IconUndo:         true,
}
