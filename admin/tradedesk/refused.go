package tradedesk

import (
	"strings"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/admin/desk/caseengine"
	"candor/app/support"
	"candor/templates/ui"
)

// orderCalls are the calls of the trader app that place, change and close orders, with the key of their text.
var orderCalls = map[string]string{
	"/client/trade/insertOrder": "open", "/client/trade/insertPendingOrder": "place", "/client/trade/insertOcoOrders": "pair", "/client/trade/updateOrder": "change",
	"/client/trade/cancelOrder": "cancel", "/client/trade/cancelAllOrders": "cancel_all", "/client/trade/closePosition": "close", "/client/trade/updatePosition": "protect",
	"/client/trade/reversePosition": "reverse", "/client/trade/closeByPosition": "close_by", "/client/trade/closeAllPositions": "close_all",
}

// refusedList declares the requests about orders that were refused before there was an order. They are kept for a week.
func (s Services) refusedList() caseengine.List[support.ListedRefusal] {
	var calls []string
	for call := range orderCalls {
		calls = append(calls, call)
	}
	l := listed[support.ListedRefusal](s, "refused")
	l.Columns = heads("#when", "request", "why", "code", "trace")
	l.ID = func(one support.ListedRefusal) int64 { return one.ID }
	l.Find = func(r *desk.Request, _ caseengine.Selection, after caseengine.Cursor, limit int) ([]support.ListedRefusal, caseengine.Cursor, error) {
		sub, err := s.subject(r)
		if err != nil {
			return nil, caseengine.Cursor{}, err
		}
		list, next, err := s.Chat.RefusalsOf(sub.ctx, sub.trader.ID, calls, after.ID, limit)
		return list, caseengine.Cursor{ID: next}, err
	}
	l.Rows = func(r *desk.Request, items []support.ListedRefusal) ([]caseengine.Row, error) {
		return rowsOf(s, r, items, refusedCells)
	}
	l.File = caseengine.File[support.ListedRefusal]{
		Permission: access.TraderExport, Columns: []string{"time", "request", "code", "trace"},
		Cells: func(_ *desk.Request, items []support.ListedRefusal) (rows [][]string, err error) {
			for _, one := range items {
				rows = append(rows, []string{stamp(one.At), one.Call, one.Code, one.TraceID})
			}
			return rows, nil
		},
	}
	return l
}

func refusedCells(sub subject, one support.ListedRefusal) []ui.Cell {
	return []ui.Cell{
		sub.when(one.At), {Text: sub.t("trader.request." + orderCalls[one.Call])}, {Text: sub.refusal(one.Code), Wrap: true}, {Text: one.Code, Ident: true, Muted: true},
		{Text: one.TraceID, Ident: true, Muted: true},
	}
}

// refusal is the reason of a refusal in words: the general words for a code without its own.
func (pc pageContext) refusal(code string) string {
	key := "trader.refusal." + strings.ReplaceAll(code, ".", "_")
	if words := pc.t(key); words != key {
		return words
	}
	return pc.t("trader.refusal.other")
}
