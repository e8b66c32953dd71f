package switches

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/money"
)

// ErrUnknown is returned for a key that does not exist or is not public.
var ErrUnknown = errs.New(errs.NotFound, "switch.unknown")

// Service reads the values in force.
type Service struct {
	db        *db.DB
	settings  atomic.Pointer[map[string]Setting]
	reloading sync.Mutex
	derived   Derived
}

// changedSwitch is a switch that staff have changed; any other has its default.
type changedSwitch struct {
	Key, Value string
	Rules      []byte
	Version    int
	ChangedAt  time.Time
}

// TableName is GORM's name of the table.
func (changedSwitch) TableName() string { return "switches" }

// Derived are keys whose values other parts of the system supply; they can't be set.
type Derived map[string]func() string

// Load reads the values; keys without a row have their default.
func Load(ctx context.Context, d *db.DB, derived Derived) (*Service, error) {
	s := &Service{db: d, derived: derived}
	return s, s.Reload(ctx)
}

// Reload reads the values again.
func (s *Service) Reload(ctx context.Context) error {
	s.reloading.Lock() // otherwise a reload that read before a change could store its values after the reload that read the change
	defer s.reloading.Unlock()
	var rows []changedSwitch
	if err := s.db.Rows(ctx).Find(&rows).Error; err != nil {
		return fmt.Errorf("read the switches: %w", err)
	}
	settings, err := settingsOf(rows)
	if err != nil {
		return err
	}
	s.settings.Store(&settings)
	return nil
}

// settingsOf computes the settings in force from the rows.
func settingsOf(rows []changedSwitch) (map[string]Setting, error) {
	settings := map[string]Setting{}
	for _, d := range Definitions {
		settings[d.Key] = Setting{Value: d.Default}
	}
	for _, r := range rows {
		if _, known := settings[r.Key]; !known {
			continue
		}
		setting := Setting{Value: r.Value, Version: r.Version}
		if err := json.Unmarshal(r.Rules, &setting.Rules); err != nil {
			return nil, fmt.Errorf("read the rules of %s: %w", r.Key, err)
		}
		settings[r.Key] = setting
	}
	for _, d := range Definitions {
		if setting := settings[d.Key]; setting.Value == "" && d.Unset != "" {
			setting.Value = d.Unset
			settings[d.Key] = setting
		}
	}
	return settings, nil
}

// Setting is a key's setting in force.
func (s *Service) Setting(key string) Setting {
	if value, derived := s.derived[key]; derived {
		return Setting{Value: value()}
	}
	return (*s.settings.Load())[key]
}

// Value is a key's value in force for viewers without a rule.
func (s *Service) Value(key string) string { return s.Setting(key).Value }

// For is a key's value in force for a viewer.
func (s *Service) For(key string, v Viewer) string {
	value, _ := s.Setting(key).For(v)
	return value
}

// On reports whether a switch is on.
func (s *Service) On(key string) bool { return s.Value(key) == "true" }

// Amount is a decimal key in units of 10^-6.
func (s *Service) Amount(key string) int64 { return amount(s.Value(key)) }

// Count is a whole-number key.
func (s *Service) Count(key string) int { return int(s.Amount(key) / money.Unit) }

// Entry is a public key with its value.
type Entry struct {
	Definition
	Value string
}

// Public lists the keys that the app may read, with their values for a viewer.
func (s *Service) Public(v Viewer) []Entry {
	var out []Entry
	for _, d := range Definitions {
		if d.Public {
			out = append(out, Entry{d, s.For(d.Key, v)})
		}
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

// Find returns one public key for a viewer. It returns ErrUnknown for any other, so that it does not reveal whether a secret key exists.
func (s *Service) Find(key string, v Viewer) (Entry, error) {
	d, known := Define(key)
	if !known || !d.Public {
		return Entry{}, ErrUnknown
	}
	return Entry{d, s.For(key, v)}, nil
}
