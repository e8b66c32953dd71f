package notice

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"

	"candor/app/audit"
	"candor/app/platform/db"
	"candor/app/platform/errs"
	"candor/app/platform/upload"
)

// The aspect ratios of pictures.
const (
	Wide = "2:1"
	Tall = "16:9"
)

// MaxImage is the size limit of a published picture in bytes.
const MaxImage = 300 << 10

// LongestImage is the longest side of an uploaded picture in pixels: twice the widest published one.
const LongestImage = 2 * widest

// widest is the greatest width of a published picture in pixels.
const widest = 1600

// leastWidth is the width in pixels below which a picture is blurred on a phone.
const leastWidth = 320

// SetImage crops a picture to the aspect ratio of the item's kind around its middle, encodes it small enough for a phone, and adds it to the current revision.
// Refusals: field image, ErrTooHeavy, those of Edit.
func (s *Service) SetImage(ctx context.Context, by audit.Actor, id int64, version int, picture upload.Picture) (Item, error) {
	var item Item
	err := s.db.Rows(ctx).Where("id = ?", id).Limit(1).Find(&item).Error
	kind := item.Kind
	switch {
	case err != nil:
		return Item{}, fmt.Errorf("read item %d: %w", id, err)
	case kind == "":
		return Item{}, ErrItem
	case !kind.HasImage():
		return Item{}, errs.Field("image", "field.choice")
	}
	raw, err := crop(picture.Bytes, kind.Shape())
	if err != nil {
		return Item{}, err
	}
	hash := sha256.Sum256(raw)
	return s.edit(ctx, by, id, version, change{"notice.depict", func(tx *db.Tx, _ Item, r *Revision) (before, after any, err error) {
		_, err = tx.Conn.Exec(ctx, `INSERT INTO notice_images (hash, shape, bytes, staff_id, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
			hash[:], kind.Shape(), raw, by.ID, s.clock.Now())
		if err != nil {
			return nil, nil, fmt.Errorf("keep a picture: %w", err)
		}
		before, r.Image = imageDetails(r.Image), hash[:]
		return before, imageDetails(r.Image), nil
	}})
}

// RemoveImage removes the picture of the current revision. Refusals: those of Edit.
func (s *Service) RemoveImage(ctx context.Context, by audit.Actor, id int64, version int) (Item, error) {
	return s.edit(ctx, by, id, version, change{"notice.depict", func(_ *db.Tx, _ Item, r *Revision) (before, after any, err error) {
		before, r.Image = imageDetails(r.Image), nil
		return before, imageDetails(r.Image), nil
	}})
}

func imageDetails(hash []byte) map[string]string {
	return map[string]string{"image": hex.EncodeToString(hash)}
}

// crop crops a JPEG around its middle to an aspect ratio. Refusals: field image for one that is too small, ErrTooHeavy.
func crop(raw []byte, shape string) ([]byte, error) {
	decoded, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read a picture: %w", err)
	}
	part := middle(decoded.Bounds(), shape)
	if part.Dx() < leastWidth {
		return nil, errs.Field("image", "field.small")
	}
	width := min(part.Dx(), widest)
	out := image.NewRGBA(image.Rect(0, 0, width, width*part.Dy()/part.Dx()))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), decoded, part, draw.Src, nil)
	for quality := 86; quality >= 40; quality -= 8 {
		var encoded bytes.Buffer
		if err := jpeg.Encode(&encoded, out, &jpeg.Options{Quality: quality}); err != nil {
			return nil, fmt.Errorf("encode a picture: %w", err)
		}
		if encoded.Len() <= MaxImage {
			return encoded.Bytes(), nil
		}
	}
	return nil, ErrTooHeavy
}

// middle is the largest centred rectangle with an aspect ratio.
func middle(whole image.Rectangle, shape string) image.Rectangle {
	across, down := 2, 1
	if shape == Tall {
		across, down = 16, 9
	}
	unit := min(whole.Dx()/across, whole.Dy()/down)
	size := image.Pt(unit*across, unit*down)
	from := whole.Min.Add(image.Pt((whole.Dx()-size.X)/2, (whole.Dy()-size.Y)/2))
	return image.Rectangle{Min: from, Max: from.Add(size)}
}
