package controldesk

import (
	"slices"
	"strconv"

	"candor/admin/access"
	"candor/admin/desk"
	"candor/app/approval"
	"candor/app/market"
	"candor/templates/controlview"
	"candor/templates/ui"
)

// changesLimit is how many changes a product's page shows.
const changesLimit = 100

func productPath(id int) ui.Path { return ui.To("/admin/products/{}", id) }

// readProduct reads the product in the address. It returns market.ErrProduct and desk.ErrNotFound.
func (s Services) readProduct(r *desk.Request) (market.Product, error) {
	id, err := r.ID("id")
	if err != nil {
		return market.Product{}, err
	}
	return s.Market.Product(int(id))
}

func (s Services) product(r *desk.Request) error {
	p, err := s.readProduct(r)
	if err != nil {
		return err
	}
	view, err := s.productPage(r, p)
	if err != nil {
		return err
	}
	return r.Show(controlview.ProductPage(r.Page(p.Symbol, "products"), view))
}

func (s Services) productPage(r *desk.Request, p market.Product) (view controlview.Product, err error) {
	versions, err := s.Market.Terms(p.ID)
	if err != nil {
		return view, err
	}
	changes, err := s.Changes.List(ctxOf(r), p.ID, false, changesLimit)
	if err != nil {
		return view, err
	}
	view = controlview.Product{
		Symbol: p.Symbol, Name: p.Name, Chips: productChips(r, p), Cards: termCards(r, p), Zone: r.ZoneNote(),
		Buttons: productButtons(r, p, changes), Versions: versionLines(r, p, versions, changes),
		Note: word(r, "product.version.now", "n", p.Version, "at", since(r, p.Terms)),
	}
	if next, ok := versions.Upcoming(s.Market.Now()); ok {
		view.Next = &controlview.NextVersion{
			Title: word(r, "product.next", "n", next.Version), Note: word(r, "product.from", "at", utc(r, next.EffectiveAt)),
			Diff: ui.DiffView{Changes: difference(r, p.Terms, next)},
		}
	}
	for _, change := range changes {
		if change.State == approval.Requested {
			view.Open = append(view.Open, s.openChange(r, p, change, versions))
		}
		view.Changes = append(view.Changes, changeLine(r, p, change, versions))
	}
	return view, nil
}

func productChips(r *desk.Request, p market.Product) []ui.ChipView {
	chips := []ui.ChipView{{Outline: true, Label: className(r, p.Class)}}
	if p.Mode == market.CloseOnly {
		chips = append(chips, ui.ChipView{Tone: ui.ToneWarning, Icon: ui.IconPause, Label: word(r, "product.mode.close_only")})
	}
	return chips
}

// productButtons are locked, with a reason, for members who may not request changes, and while a change of the same kind is open.
func productButtons(r *desk.Request, p market.Product, changes []market.Change) []ui.ButtonView {
	locked := func(kind market.ChangeKind) string {
		switch {
		case !r.May(access.ProductChange):
			return word(r, "product.change.no_power")
		case slices.ContainsFunc(changes, func(c market.Change) bool { return c.Kind == kind && c.State == approval.Requested }):
			return r.Text(approval.ErrOpen)
		}
		return ""
	}
	var buttons []ui.ButtonView
	if p.PaysDividends() {
		buttons = append(buttons, lockable(ui.ButtonView{
			Label: word(r, "product.dividend"), Size: ui.Small, Key: "D", HX: ui.OpenDialog(ui.To("/admin/products/{}/dividend", p.ID)),
		}, locked(market.DividendKind)))
	}
	return append(buttons, lockable(ui.ButtonView{
		Label: word(r, "product.change"), Size: ui.Small, Kind: ui.Primary, Key: "T", HX: ui.OpenDialog(ui.To("/admin/products/{}/terms", p.ID)),
	}, locked(market.TermsKind)))
}

// termCards show the terms in force, and the properties of the product.
func termCards(r *desk.Request, p market.Product) (cards []controlview.FactCard) {
	for _, group := range termGroups {
		card := controlview.FactCard{Title: word(r, "product.terms."+group.name)}
		for _, name := range group.terms {
			card.Facts = append(card.Facts, ui.Fact{Label: termLabel(r, name), Value: termWords(r, p.Terms, name)})
		}
		cards = append(cards, card)
	}
	return append(cards, controlview.FactCard{Title: word(r, "product.fixed"), Note: word(r, "product.fixed.note"), Facts: []ui.Fact{
		{Label: word(r, "product.fixed.currencies"), Value: word(r, "product.fixed.pair", "base", p.Base, "quote", p.Quote)},
		{Label: word(r, "product.fixed.contract"), Value: word(r, "product.fixed.units", "count", p.ContractSize, "n", ui.Decimal(strconv.FormatInt(p.ContractSize, 10)))},
		{Label: word(r, "product.fixed.point"), Value: word(r, "product.fixed.decimals", "count", p.Point)},
		{Label: word(r, "product.fixed.margin"), Value: word(r, "product.fixed.margin."+string(p.MarginModel))},
	}})
}

// since says from when terms are in force; the first version has no beginning.
func since(r *desk.Request, t market.Terms) string {
	if t.Version == 1 {
		return word(r, "product.version.start")
	}
	return utc(r, t.EffectiveAt)
}

// versionLines are the versions, newest first, with the differences of each and who approved it.
func versionLines(r *desk.Request, p market.Product, versions market.Versions, changes []market.Change) (out []controlview.VersionLine) {
	for i, terms := range slices.Backward(versions) {
		line := controlview.VersionLine{Number: strconv.Itoa(terms.Version), From: since(r, terms), Now: terms.Version == p.Version}
		if i > 0 {
			line.Changes = difference(r, versions[i-1], terms)
		}
		for _, change := range changes {
			if change.Kind == market.TermsKind && change.State == approval.Applied && change.Terms.Version == terms.Version {
				line.People = word(r, "product.version.people", "asker", change.Requester, "decider", change.Decider)
			}
		}
		out = append(out, line)
	}
	return out
}

var changeLooks = map[approval.State]ui.ChipView{
	approval.Requested: {Tone: ui.ToneInfo, Icon: ui.IconClock},
	approval.Applied:   {Tone: ui.ToneSuccess, Icon: ui.IconCheck},
	approval.Refused:   {Tone: ui.ToneError, Icon: ui.IconClose},
	approval.Withdrawn: {Icon: ui.IconUndo},
}

func changeLine(r *desk.Request, p market.Product, c market.Change, versions market.Versions) controlview.ChangeLine {
	chip := changeLooks[c.State]
	chip.Label = word(r, "product.change.state."+string(c.State))
	line := controlview.ChangeLine{
		When: at(r, c.RequestedAt), UTC: ui.Stamp(c.RequestedAt), What: changeWords(r, p, c, versions), From: utc(r, c.EffectiveAt), State: chip, Asker: c.Requester, Decider: c.Decider,
		Reason: c.Note,
	}
	if decided := c.DecidedAt(); decided != nil {
		line.Decided = at(r, *decided)
	}
	return line
}

// changeWords summarizes a change.
func changeWords(r *desk.Request, p market.Product, c market.Change, versions market.Versions) string {
	if c.Kind == market.DividendKind {
		return word(r, "product.dividend.short", "amount", dividend(c.Amount, p), "date", r.Date(c.ExDate))
	}
	var names []string
	for _, change := range changesOf(r, c, p, versions) {
		names = append(names, change.Field)
	}
	return joinSome(r, names)
}

// named is how many items a line names before it counts the rest.
const named = 3

func joinSome(r *desk.Request, names []string) string {
	text := ""
	for i, name := range names {
		switch {
		case i == named:
			return word(r, "product.and_more", "list", text, "count", len(names)-named)
		case i > 0:
			text += ", "
		}
		text += name
	}
	return text
}

func dividend(amount int64, p market.Product) string { return ui.Amount(amount) + " " + p.Quote }

// changesOf lists the values before and after a change, for the requester and the approver.
func changesOf(r *desk.Request, c market.Change, p market.Product, versions market.Versions) []ui.FieldDiff {
	if c.Kind == market.DividendKind {
		return []ui.FieldDiff{
			{Field: word(r, "product.dividend.amount"), After: dividend(c.Amount, p)},
			{Field: word(r, "product.dividend.ex_date"), After: r.Date(c.ExDate)},
		}
	}
	base, known := versions.Number(c.BaseVersion())
	if !known {
		return nil // approved on another server a moment ago
	}
	return difference(r, base, c.Terms)
}
