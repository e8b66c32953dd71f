package trader

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
)

// TagColour is the colour of a tag.
type TagColour string

// The colours.
const (
	TagGrey   TagColour = "grey"
	TagViolet TagColour = "violet"
	TagBlue   TagColour = "blue"
	TagGreen  TagColour = "green"
	TagAmber  TagColour = "amber"
	TagRed    TagColour = "red"
)

// TagColours lists the colours in the order of the choice.
var TagColours = []TagColour{TagGrey, TagViolet, TagBlue, TagGreen, TagAmber, TagRed}

// Limits of tags.
const (
	LongestTag = 30  // characters of a name
	MaxTags    = 100 // retired ones included
)

// Tag is a word that staff put on traders to find and group them. Traders never see tags, and no rule reads them.
type Tag struct {
	ID        int64
	Name      string
	Colour    TagColour
	MadeBy    int64
	MadeAt    time.Time
	RetiredAt *time.Time // it is no longer put on anybody
	Version   int
}

// Number is the display number of the tag.
func (t Tag) Number() string { return fmt.Sprintf("TG-%d", t.ID) }

// Refusals about tags; only staff read them.
var (
	ErrTag          = errs.New(errs.NotFound, "tag.unknown")
	ErrTagState     = errs.New(errs.Conflict, "tag.state") // retired already, or not retired
	ErrTooManyTags  = errs.New(errs.Refused, "tag.too_many")
	ErrTagName      = errs.Field("name", "field.length")
	ErrTagNameTaken = errs.Field("name", "tag.name_taken")
	ErrTagColour    = errs.Field("colour", "field.choice")
)

// TagDraft is what may be changed about a tag.
type TagDraft struct {
	Name   string
	Colour TagColour
}

func (d *TagDraft) check() error {
	d.Name = strings.Join(strings.Fields(d.Name), " ")
	switch n := utf8.RuneCountInString(d.Name); {
	case n == 0 || n > LongestTag || !db.IsText(d.Name):
		return ErrTagName
	case !slices.Contains(TagColours, d.Colour):
		return ErrTagColour
	}
	return nil
}

// Tags lists every tag by its name; there are at most MaxTags.
func (s *Service) Tags(ctx context.Context) (list []Tag, err error) {
	if err := s.db.Rows(ctx).Order("lower(name)").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read the tags: %w", err)
	}
	return list, nil
}

// Tag reads a tag. It returns ErrTag.
func (s *Service) Tag(ctx context.Context, id int64) (t Tag, err error) {
	if err := s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&t).Error; err != nil {
		return t, fmt.Errorf("read tag %d: %w", id, err)
	}
	if t.ID == 0 {
		return t, ErrTag
	}
	return t, nil
}

// MakeTag adds a tag to the list. Refusals: the fields, ErrTooManyTags.
func (s *Service) MakeTag(ctx context.Context, by audit.Actor, d TagDraft) (t Tag, err error) {
	if err := d.check(); err != nil {
		return t, err
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var n int64
		if err := tx.Rows.Model(&Tag{}).Count(&n).Error; err != nil {
			return fmt.Errorf("count the tags: %w", err)
		}
		if n >= MaxTags {
			return ErrTooManyTags.With("limit", MaxTags)
		}
		t = Tag{Name: d.Name, Colour: d.Colour, MadeBy: by.ID, MadeAt: s.clock.Now(), Version: 1}
		if err := tx.Rows.Create(&t).Error; err != nil {
			return tagRefusal(err)
		}
		return s.recordTagTx(ctx, tx, by, "make", t, Tag{})
	})
	return t, err
}

// ChangeTag renames or recolours a tag, on all who have it; version is the one that was shown. Refusals: the fields, ErrTag, db.ErrChanged.
func (s *Service) ChangeTag(ctx context.Context, by audit.Actor, id int64, version int, d TagDraft) error {
	if err := d.check(); err != nil {
		return err
	}
	return s.changeTag(ctx, by, id, version, "change", func(t *Tag) error {
		t.Name, t.Colour = d.Name, d.Colour
		return nil
	})
}

// RetireTag takes a tag off the list: nobody gets it any more, those who have it keep it. Refusals: ErrTag, ErrTagState, db.ErrChanged.
func (s *Service) RetireTag(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.changeTag(ctx, by, id, version, "retire", func(t *Tag) error {
		if t.RetiredAt != nil {
			return ErrTagState
		}
		now := s.clock.Now()
		t.RetiredAt = &now
		return nil
	})
}

// RestoreTag puts a retired tag back on the list. Refusals: ErrTag, ErrTagState, db.ErrChanged.
func (s *Service) RestoreTag(ctx context.Context, by audit.Actor, id int64, version int) error {
	return s.changeTag(ctx, by, id, version, "restore", func(t *Tag) error {
		if t.RetiredAt == nil {
			return ErrTagState
		}
		t.RetiredAt = nil
		return nil
	})
}

func (s *Service) changeTag(ctx context.Context, by audit.Actor, id int64, version int, act string, change func(*Tag) error) error {
	was, err := s.Tag(ctx, id)
	if err != nil {
		return err
	}
	t := was
	if err := change(&t); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		err := db.MustAffect(tx.Rows.Model(&Tag{}).Where("id = ? AND version = ?", id, version).
			Updates(map[string]any{"name": t.Name, "colour": t.Colour, "retired_at": t.RetiredAt, "version": version + 1}))
		if err != nil {
			return tagRefusal(err)
		}
		return s.recordTagTx(ctx, tx, by, act, t, was)
	})
}

// tagRefusal is a taken name as its refusal.
func tagRefusal(err error) error {
	if db.IsUnique(err, "tags_name") {
		return ErrTagNameTaken
	}
	return err
}

// recordTagTx records a change of the list with its names and colours.
func (s *Service) recordTagTx(ctx context.Context, tx *db.Tx, by audit.Actor, act string, t, was Tag) error {
	entry := audit.By(by, s.clock.Now(), "tag."+act, "tag", t.ID)
	facts := func(t Tag) (string, error) {
		raw, err := json.Marshal(map[string]string{"name": t.Name, "colour": string(t.Colour)})
		return string(raw), err
	}
	var err error
	if was.ID != 0 {
		if entry.Before, err = facts(was); err != nil {
			return err
		}
	}
	if entry.After, err = facts(t); err != nil {
		return err
	}
	return audit.RecordTx(ctx, tx, entry)
}
