package controldesk

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/ledger"
	"candor/app/platform/money"
	"candor/app/report"
	"candor/app/support"
	"candor/app/switches"
	"candor/templates/controlview"
	"candor/templates/ui"
)

const (
	recentEntries = 8
	comingLines   = 6
	// seenWithin is how long ago a colleague on shift last opened a page.
	seenWithin = 10 * time.Minute
)

// midnight is when the member's day began.
func midnight(r *desk.Request) time.Time {
	now := r.Now().In(r.Zone())
	return time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, r.Zone())
}

// onTime is a share in hundredths of a percent, in percent with one decimal.
func onTime(share int64) string { return ui.Percent(money.Format(share/10, 1)) }

// took is a length in seconds as people say it.
func took(r *desk.Request, seconds int64) string {
	if seconds < 60 {
		return word(r, "report.seconds", "count", seconds)
	}
	return ui.Age(ctxOf(r), time.Duration(seconds)*time.Second)
}

// replyTarget is the general service time of a first reply of normal priority; 0 without one.
func (s Services) replyTarget(r *desk.Request) (time.Duration, error) {
	table, err := s.Chat.ServiceTable(ctxOf(r))
	return table.For("")[support.Normal][support.FirstReply], err
}

// pace is how quickly a queue was worked on today.
func (s Services) pace(r *desk.Request, q desk.Queue) (report.Pace, error) {
	if q.ID == "chat" {
		return s.chatPace(r, 0)
	}
	return keep(s.keeper, r.Now(), today(r, "pace", q.ID), keepPace, func() (report.Pace, error) {
		pace, _, err := s.Reports.Pace(ctxOf(r), q.ID, midnight(r), q.Target)
		return pace, err
	})
}

// chatPace is how quickly an agent answered today; 0 is all of them.
func (s Services) chatPace(r *desk.Request, agent int64) (report.Pace, error) {
	return keep(s.keeper, r.Now(), today(r, "chat", strconv.FormatInt(agent, 10)), keepPace, func() (report.Pace, error) {
		return s.Reports.ChatPace(ctxOf(r), midnight(r), agent)
	})
}

// today names what is kept of the member's day, which colleagues of the same zone share.
func today(r *desk.Request, words ...string) string {
	return strings.Join(append(words, strconv.FormatInt(midnight(r).Unix(), 10)), " ")
}

// addFigures adds the state of the member's work: chats for those who answer, content for those who write or publish it.
func (s Services) addFigures(r *desk.Request, view *controlview.Home) error {
	if r.May(access.ChatAnswer) {
		stats, err := s.chatFigures(r)
		if err != nil {
			return err
		}
		view.Figures = append(view.Figures, stats...)
	}
	if r.May(access.ContentEdit) || r.May(access.ContentPublish) {
		stats, err := s.contentFigures(r)
		if err != nil {
			return err
		}
		view.Figures = append(view.Figures, stats...)
	}
	return nil
}

func count(n int) string { return strconv.Itoa(n) }

func (s Services) chatFigures(r *desk.Request) ([]ui.StatView, error) {
	counts, err := s.Chat.Count(ctxOf(r), r.Member.ID, "")
	if err != nil {
		return nil, err
	}
	pace, err := s.chatPace(r, r.Member.ID)
	if err != nil {
		return nil, err
	}
	day := r.Now().In(r.Zone())
	span, err := report.NewSpan(day, day, r.Zone())
	if err != nil {
		return nil, err
	}
	ratings, err := keep(s.keeper, r.Now(), today(r, "ratings"), keepPace, func() (report.Table, error) { return s.Reports.Satisfaction(ctxOf(r), span) })
	if err != nil {
		return nil, err
	}
	out := []ui.StatView{
		{Label: word(r, "home.chat.waiting"), Value: count(counts.Waiting)},
		{Label: word(r, "home.chat.mine"), Value: count(counts.Mine)},
		{Label: word(r, "home.chat.reply"), Value: "–"},
		{Label: word(r, "home.chat.rating"), Value: "–"},
	}
	target, err := s.replyTarget(r)
	if err != nil {
		return nil, err
	}
	if target > 0 {
		out[2].Note = word(r, "home.chat.target", "time", ui.Age(ctxOf(r), target))
	}
	if !pace.Median.None {
		out[2].Value = took(r, pace.Median.Value)
	}
	if sum := ratings.Totals[0].Figures; !sum[1].None {
		out[3].Value, out[3].Unit = ui.Decimal(money.Format(sum[1].Value, 2)), word(r, "home.chat.of_five")
		out[3].Note = word(r, "home.chat.answers", "count", sum[0].Value)
	}
	return out, nil
}

func (s Services) contentFigures(r *desk.Request) ([]ui.StatView, error) {
	n, err := s.Notices.Tally(ctxOf(r))
	if err != nil {
		return nil, err
	}
	return []ui.StatView{
		{Label: word(r, "home.content.scheduled"), Value: count(n.Scheduled)},
		{Label: word(r, "home.content.live"), Value: count(n.Live)},
		{Label: word(r, "home.content.missing"), Value: count(n.Missing), Note: word(r, "home.content.missing.note")},
	}, nil
}

// addToday adds today's money in and out by channel, and its net by currency.
func (s Services) addToday(r *desk.Request, view *controlview.Home) error {
	if !r.May(access.ReportFinance) {
		return nil
	}
	day := r.Now().In(r.Zone())
	span, err := report.NewSpan(day, day, r.Zone())
	if err != nil {
		return err
	}
	in, err := s.Reports.Deposits(ctxOf(r), span)
	if err != nil {
		return err
	}
	out, err := s.Reports.Withdrawals(ctxOf(r), span)
	if err != nil {
		return err
	}
	net := map[string]int64{}
	for _, row := range in.Rows {
		sum := row.Figures[1].Value - row.Figures[3].Value
		net[ledger.SummedIn(row.Currency).Code] += sum
		view.Today = append(view.Today, todayLine(ui.IconIn, row.Name, row.Figures[0].Value, sum, row.Currency))
	}
	for _, row := range out.Rows {
		sum := row.Figures[3].Value - row.Figures[1].Value
		net[ledger.SummedIn(row.Currency).Code] += sum
		view.Today = append(view.Today, todayLine(ui.IconOut, word(r, "report.withdrawal."+row.Key), row.Figures[0].Value, sum, row.Currency))
	}
	for _, d := range ledger.Denominations {
		if sum, has := net[d.Code]; has {
			line := todayLine(ui.IconSwap, word(r, "home.today.net"), 0, sum, d.Code)
			line.Count, line.Total = "", true
			view.Today = append(view.Today, line)
		}
	}
	return nil
}

func todayLine(icon ui.IconName, channel string, n, sum int64, currency string) controlview.TodayLine {
	scale := money.Scale
	if d, ok := ledger.DenominationOf(currency); ok {
		scale = d.Scale
	}
	return controlview.TodayLine{Icon: icon, Channel: channel, Count: strconv.FormatInt(n, 10), Sum: ui.SignedCoins(sum, scale) + " " + currency}
}

// addShift adds the colleagues who work now.
func (s Services) addShift(r *desk.Request, view *controlview.Home) error {
	list, err := s.Staff.OnShift(ctxOf(r), r.Now().Add(-seenWithin))
	for _, one := range list {
		roles := make([]string, len(one.Roles))
		for i, role := range one.Roles {
			roles[i] = roleName(r, role)
		}
		line := controlview.ShiftLine{
			Person: ui.AvatarView{Initials: desk.Initials(one.Name), Name: one.Name, Me: one.ID == r.Member.ID}, Name: one.Name,
			Duty: cmp.Or(strings.Join(roles, ", "), word(r, "nav.no_role")), Since: word(r, "home.shift.since", "at", at(r, one.Since)),
		}
		if one.ID == r.Member.ID {
			line.Name = word(r, "home.shift.you", "name", one.Name)
		}
		view.Shift = append(view.Shift, line)
	}
	return err
}

// addComing adds the scheduled changes of switches and products that come next.
func (s Services) addComing(r *desk.Request, view *controlview.Home) error {
	if !r.May(access.SwitchView) {
		return nil
	}
	list, err := s.Switches.UnderWay(ctxOf(r))
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b switches.Change) int { return compareTimes(a.ApplyAt, b.ApplyAt) })
	for _, change := range list {
		if change.State() == approval.Scheduled && change.ApplyAt != nil && len(view.Coming) < comingLines {
			view.Coming = append(view.Coming, controlview.ComingLine{
				At: at(r, *change.ApplyAt), Title: word(r, "home.switch.planned", "number", change.Number(), "switch", word(r, "switch.name."+change.Key)), Href: ui.To("/admin/switches/{}", change.Key),
			})
		}
	}
	return nil
}

func compareTimes(a, b *time.Time) int {
	switch {
	case a == nil || b == nil:
		return 0
	default:
		return a.Compare(*b)
	}
}

// events are the areas of the audit log whose acts are work; looks are the acts among them that decide nothing.
var (
	events = []string{"deposit", "withdrawal", "adjustment", "kyc", "switch", "notice", "product", "money_out", "banking", "channel"}
	looks  = []string{"claim", "release", "view", "read_data", "view_proof", "export", "reveal", "mark", "match_rest", "edit", "write", "draft", "attach", "save", "ask_provider", "enquire", "request", "prove", "submit", "detect", "redirect", "await"}
)

// worked are the newest decisions, stops and changes of staff and of the schedule.
func (s Services) worked(r *desk.Request) ([]ui.StepView, error) {
	entries, err := s.Audit.Work(ctxOf(r), events, looks, recentEntries)
	if err != nil {
		return nil, err
	}
	return s.steps(r, entries)
}
