package demo

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"slices"
	"time"

	"candor/app/notice"
	"candor/app/switches"
)

// exampleItem is an item that editors have written for the demo.
type exampleItem struct {
	ago        time.Duration
	kind       notice.Kind
	set        notice.Settings
	state      notice.State // the target stage
	startsIn   time.Duration
	hasPicture bool
	texts      []notice.Text // the default language first
}

func settingsOf(category, placement string) notice.Settings {
	return notice.Settings{Category: category, Placement: placement, Severity: "info", Audience: "all", Zone: "UTC", Frequency: notice.Once}
}

// exampleItems show editors an item in each state, and traders the live ones.
var exampleItems = []*exampleItem{
	{
		ago: daysAgo(9, 3, 10), kind: notice.Notice, set: settingsOf("assets", "ticker"), state: notice.Live,
		texts: []notice.Text{
			{Locale: "en", Title: "Example: no bank transfers on public holidays", Body: "<p>Banks do not work on public holidays. A withdrawal approved on such a day is sent on the next working day. Trading continues.</p>"},
			{Locale: "zh_CN", Title: "示例：银行公众假期不处理转账", Body: "<p>银行在公众假期不办理业务。当日通过的出金将在下一个工作日汇出，交易不受影响。</p>"},
			{Locale: "ar", Title: "مثال: التحويلات المصرفية تتوقف في العطل الرسمية", Body: "<p>لا تعمل البنوك في العطل الرسمية. طلب السحب الذي يُوافق عليه في يوم عطلة يُرسل في يوم العمل التالي، ويستمر التداول.</p>"},
		},
	},
	{
		ago: daysAgo(6, 1, 25), kind: notice.Banner, set: withLink(settingsOf("general", "home"), "/problem"), state: notice.Live, hasPicture: true,
		texts: []notice.Text{
			{Locale: "en", Title: "Example: check any price yourself", Summary: "Every fill names the quote it was made from.", Alt: "Drawn candles on a dark ground"},
			{Locale: "zh_CN", Title: "示例：每个价格都可自行核对", Summary: "每笔成交都注明所用的报价。", Alt: "深色背景上的蜡烛图"},
			{Locale: "ar", Title: "مثال: تحقق من أي سعر بنفسك", Summary: "كل تنفيذ يذكر عرض السعر الذي بُني عليه.", Alt: "شموع مرسومة على خلفية داكنة"},
		},
	},
	{
		ago: daysAgo(4, 2, 40), kind: notice.News, set: withLink(settingsOf("product", "list"), "/quotes"), state: notice.Live, hasPicture: true,
		texts: []notice.Text{
			{Locale: "en", Title: "Example: metals on the quotes page", Alt: "Drawn candles on a dark ground", Body: "<p>Gold and silver are now listed next to the currency pairs. Tap the star to add one to your favourites.</p>"},
			{Locale: "zh_CN", Title: "示例：行情页新增贵金属", Alt: "深色背景上的蜡烛图", Body: "<p>黄金和白银与货币对并列显示。点按星标即可加入自选。</p>"},
		},
	},
	{
		ago: 5 * time.Hour, kind: notice.Notice, set: settingsOf("maintenance", "strip"), state: notice.Scheduled, startsIn: 20 * time.Hour,
		texts: []notice.Text{
			{Locale: "en", Title: "Example: short maintenance at the weekend", Body: "<p>The app pauses for half an hour while all markets are closed. Pending orders stay as they are.</p>"},
			{Locale: "ar", Title: "مثال: صيانة قصيرة في عطلة نهاية الأسبوع", Body: "<p>يتوقف التطبيق نصف ساعة حين تكون الأسواق مغلقة. الأوامر المنتظرة تبقى كما هي.</p>"},
		},
	},
	{
		ago: 130 * time.Minute, kind: notice.News, set: settingsOf("company", "list"), state: notice.InReview,
		texts: []notice.Text{{Locale: "en", Title: "Example: how we answer complaints", Body: "<p>A lead who was not involved before reviews each complaint and answers in writing.</p>"}},
	},
	{
		ago: 65 * time.Minute, kind: notice.Popup, set: settingsOf("general", "home"), state: notice.Drafted,
		texts: []notice.Text{{Locale: "en", Title: "Example: a tip that is not approved yet", Body: "<p>It stays a draft until its author submits it.</p>"}},
	},
}

func withLink(set notice.Settings, link string) notice.Settings {
	set.Link = link
	return set
}

// publish creates an item and advances it to its target state.
func (e *exampleItem) publish(ctx context.Context, d *demo) error {
	item, err := e.find(ctx, d)
	if err != nil {
		return err
	}
	for err == nil && item.Stage() != e.state {
		was := item.Version
		item, err = e.advance(ctx, d, item)
		if item.Version == was {
			break
		}
	}
	return err
}

// find returns the current item, or creates it. It also matches an item without texts, left by an interrupted start.
func (e *exampleItem) find(ctx context.Context, d *demo) (notice.Listed, error) {
	list, err := d.notices.Items(ctx, e.kind, "")
	if err != nil {
		return notice.Listed{}, err
	}
	for _, l := range list {
		if l.Title == e.texts[0].Title || l.Title == "" {
			return l, nil
		}
	}
	set := e.set
	if e.startsIn > 0 {
		starts := d.now.Add(e.startsIn)
		set.StartsAt = &starts
	}
	if _, err := d.notices.Create(ctx, d.staffByHandle["editor"], e.kind, set); err != nil {
		return notice.Listed{}, err
	}
	return e.find(ctx, d)
}

// advance takes the item's next step; without one the item is unchanged.
func (e *exampleItem) advance(ctx context.Context, d *demo, now notice.Listed) (notice.Listed, error) {
	by, err := d.staffByHandle["editor"], error(nil)
	switch {
	case now.Stage() == notice.InReview:
		d.clock.Advance(9 * time.Minute)
		_, err = d.notices.Approve(ctx, d.staffByHandle["publisher"], now.ItemID, now.Version, now.Approval.Facts)
	case now.State != notice.Drafted:
		return now, nil
	default:
		err = e.write(ctx, d, now)
	}
	if err != nil {
		return now, fmt.Errorf("by %s: %w", by.Name, err)
	}
	return e.find(ctx, d)
}

// write adds the draft's next missing part, and submits the draft when it is complete.
func (e *exampleItem) write(ctx context.Context, d *demo, now notice.Listed) error {
	by := d.staffByHandle["editor"]
	for _, text := range e.texts {
		if !slices.Contains(now.Locales, text.Locale) {
			_, err := d.notices.Edit(ctx, by, now.ItemID, now.Version, new(text), nil)
			return err
		}
	}
	if e.hasPicture && now.Image == nil {
		picture, err := d.readPicture(ctx, candlesPicture())
		if err != nil {
			return err
		}
		_, err = d.notices.SetImage(ctx, by, now.ItemID, now.Version, picture)
		return err
	}
	if e.state == notice.Drafted {
		return nil
	}
	_, err := d.notices.Submit(ctx, by, now.ItemID, now.Version, false)
	return err
}

// candlesPicture is a drawing of invented candles.
func candlesPicture() image.Image {
	ground, up, down := color.RGBA{0x0b, 0x1f, 0x33, 0xff}, color.RGBA{0x2e, 0xbd, 0x85, 0xff}, color.RGBA{0xe0, 0x5d, 0x6f, 0xff}
	d := sketch{image.NewRGBA(image.Rect(0, 0, 1600, 900))}
	for y := range 900 {
		shade := color.RGBA{ground.R + uint8(y/90), ground.G + uint8(y/45), ground.B + uint8(y/30), 0xff}
		d.fill(image.Rect(0, y, 1600, y+1), shade)
	}
	last := 640
	for n, move := range []int{-40, -70, 30, -60, -20, 50, -90, -30, 40, -50, -80, 20, -40, 60, -70, -30} {
		x, paint := 60+n*95, up
		if move > 0 {
			paint = down
		}
		top, bottom := min(last, last+move), max(last, last+move)
		d.fill(image.Rect(x+26, top-35, x+30, bottom+30), paint)
		d.fill(image.Rect(x, top, x+56, bottom), paint)
		last += move
	}
	return d
}

const exampleChangeFrom = 3 * time.Hour

// requestChange opens a change request for a sensitive switch, which awaits its second person.
func requestChange(ctx context.Context, d *demo) error {
	const key = switches.RechargeMinKey
	open, err := d.switches.UnderWay(ctx)
	if err != nil || slices.ContainsFunc(open, func(c switches.Change) bool { return c.Key == key }) {
		return err
	}
	last, err := d.switches.Last(ctx)
	if err != nil || last[key].ID != 0 {
		return err // already decided
	}
	_, err = d.switches.Ask(ctx, d.staffByHandle["config.admin"], key, 0, switches.ChangeInput{Value: "20", Reason: "Example: the bank's charge is more than a tenth of smaller deposits."})
	return err
}
