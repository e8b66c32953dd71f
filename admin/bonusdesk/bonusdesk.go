// Package bonusdesk is the desk of bonuses: who may, requests a campaign or a bonus for one trader, and another member approves it. A running campaign is stopped here.
package bonusdesk

import (
	"net/http"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/approval"
	"candor/app/audit"
	"candor/app/bonus"
	"candor/app/staff"
	"candor/app/trader"
	"candor/templates/ui"
)

// Services holds the dependencies of the desk.
type Services struct {
	Bonuses *bonus.Service
	Traders *trader.Service
	Staff   *staff.Service
	Audit   *audit.Log
}

// Routes lists the desk's routes. The handlers check again who may act in the request's current state.
func Routes(s Services) []desk.Route {
	return append(desk.Withholding(s.desk().Routes(), s.whose),
		desk.Route{Method: http.MethodGet, Path: "/bonuses/new", Permission: access.BonusAsk, Handle: s.openCampaignForm},
		desk.Route{Method: http.MethodPost, Path: "/bonuses/new", Permission: access.BonusAsk, Handle: s.askCampaign},
		desk.Route{Method: http.MethodGet, Path: "/traders/:id/bonus", Permission: access.BonusAsk, Handle: s.openGiftForm},
		desk.Route{Method: http.MethodPost, Path: "/traders/:id/bonus", Permission: access.BonusAsk, Handle: s.askGift},
	)
}

// whose is the trader of the request; 0 for a campaign.
func (s Services) whose(r *desk.Request, id int64) (int64, error) {
	req, err := s.Bonuses.Read(r.Context.Request().Context(), id)
	if err != nil || !req.Gift() {
		return 0, err
	}
	return *req.TraderID, nil
}

// home is the address of the list.
var home = ui.To("/admin/bonuses")

// desk declares the desk. Nobody claims a request: whoever may approve it does.
func (s Services) desk() caseengine.Desk[caseContext, bonus.Request] {
	return caseengine.Desk[caseContext, bonus.Request]{
		List: s.list(), Read: s.read, Item: func(cc caseContext) bonus.Request { return cc.Request }, Show: show, History: caseContext.step, Actions: s.actions(),
		State: approval.ErrState, Changed: approval.ErrChanged,
	}
}

func address(id int64) ui.Path { return ui.To("/admin/bonuses/{}", id) }

func decimal[N int | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Finders find requests by their number.
func Finders(s Services) []desk.Finder {
	return []desk.Finder{{Kind: "bonus", Permission: access.BonusView, Find: func(r *desk.Request, words string, _ int) ([]desk.Hit, error) {
		id := desk.Number(words, "BO-")
		if id == 0 {
			return nil, nil
		}
		return desk.Found(s.Bonuses.Read(r.Context.Request().Context(), id))(func(b bonus.Request) desk.Hit {
			chip := caseengine.ApprovalChip(r.Word, "bonus", b.State)
			return desk.Hit{Label: b.Number(), Note: r.Word("bonus.kind." + kind(b)), Chip: &chip, Href: address(b.ID).String(), Exact: true}
		})
	}}}
}

// kind is what is requested, as the keys of its texts name it.
func kind(b bonus.Request) string {
	if b.Gift() {
		return "gift"
	}
	return string(b.Wanted.Rule)
}
