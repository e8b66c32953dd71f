package kyc

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"candor/app/payee"
	"candor/app/platform/db"
	"candor/app/session"
	"candor/app/trader"
)

// RelationKind is what two traders have in common.
type RelationKind string

// The kinds.
const (
	SameNumber  RelationKind = "number"  // of a document
	SamePicture RelationKind = "picture" // of a document
	SameBank    RelationKind = "bank"    // account
	SameAddress RelationKind = "address" // of a blockchain
	SameDevice  RelationKind = "device"
)

// Strength is how surely a relation means that two traders are one person, or act together.
type Strength int

// The strengths.
const (
	Weak Strength = iota + 1
	Medium
	Strong
)

// Words of a strength, as texts name them.
func (s Strength) String() string { return []string{"weak", "medium", "strong"}[s-Weak] }

// Relation is one thing that another trader has in common with one.
type Relation struct {
	TraderID int64
	Kind     RelationKind
	Count    int       // of the things in common
	Crowd    int       // traders who have the rarest of them in common, both included
	Since    time.Time // when both had one
	Last     time.Time // when the other one had it last
}

// crowded is from how many traders on a thing it says little about any two of them: a device in a shop, an address of an exchange.
const crowded = 6

// Strength is strong for papers, and for an account or an address of few; a device alone is what a household shares.
func (r Relation) Strength() Strength {
	switch {
	case r.Kind == SameNumber || r.Kind == SamePicture:
		return Strong
	case r.Crowd >= crowded:
		return Weak
	case r.Kind == SameBank || r.Kind == SameAddress || r.Count > 1:
		return Strong
	default:
		return Medium
	}
}

// Related is another trader with everything that is in common, the strongest first.
type Related struct {
	TraderID  int64
	Relations []Relation
}

// Strength is the strongest relation's; several kinds of things in common are strong together.
func (r Related) Strength() Strength {
	if len(r.Relations) > 1 {
		return Strong
	}
	return r.Relations[0].Strength()
}

// MostRelated is how many traders of each kind are looked for, the newest.
const MostRelated = 100

// Related lists the registered traders who have a document, a payee or a device in common with a trader, for staff with that permission, the strongest first.
// It compares keyed hashes and stored numbers, and opens nothing that is sealed.
func (s *Service) Related(ctx context.Context, traderID int64) ([]Related, error) {
	relations, err := paperLinks(ctx, s.db.Pool, traderID)
	if err != nil {
		return nil, err
	}
	payees, err := payee.Links(ctx, s.db.Pool, traderID, MostRelated)
	if err != nil {
		return nil, err
	}
	for _, l := range payees {
		kind := SameBank
		if l.Kind == payee.OnChain {
			kind = SameAddress
		}
		relations = append(relations, Relation{l.TraderID, kind, l.Count, l.Crowd, l.Since, l.Last})
	}
	devices, err := s.devices(ctx, traderID)
	if err != nil {
		return nil, err
	}
	return byTrader(append(relations, devices...)), nil
}

// paperLinks are the relations by the number or a picture of a document, the newest of each.
func paperLinks(ctx context.Context, q db.Querier, traderID int64) ([]Relation, error) {
	rows, err := q.Query(ctx, `
		(SELECT same.trader_id, 'number', count(DISTINCT mine.number_hash), 0, min(greatest(mine.created_at, same.created_at)), max(same.created_at)
		FROM kyc_applications mine JOIN kyc_applications same ON same.number_hash = mine.number_hash AND same.trader_id <> mine.trader_id
		WHERE mine.trader_id = $1 GROUP BY 1 ORDER BY 6 DESC, 1 DESC LIMIT $2)
		UNION ALL (SELECT other.trader_id, 'picture', count(DISTINCT mine.picture_hash), 0, min(greatest(mine.created_at, same.created_at)), max(same.created_at)
		FROM kyc_applications a JOIN kyc_documents mine ON mine.application_id = a.id JOIN kyc_documents same ON same.picture_hash = mine.picture_hash
		JOIN kyc_applications other ON other.id = same.application_id AND other.trader_id <> a.trader_id
		WHERE a.trader_id = $1 GROUP BY 1 ORDER BY 6 DESC, 1 DESC LIMIT $2)`, traderID, MostRelated)
	if err != nil {
		return nil, fmt.Errorf("look for who shares papers with trader %d: %w", traderID, err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Relation])
}

// devices are the relations by a device. It leaves guests out: a guest is the same person before registering.
func (s *Service) devices(ctx context.Context, traderID int64) (out []Relation, err error) {
	links, err := session.Links(ctx, s.db.Pool, traderID, MostRelated)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.TraderID
	}
	registered, err := trader.Registered(ctx, s.db.Pool, ids, MostRelated)
	for _, l := range links {
		if slices.Contains(registered, l.TraderID) {
			out = append(out, Relation{l.TraderID, SameDevice, l.Count, l.Crowd, l.Since, l.Last})
		}
	}
	return out, err
}

// byTrader puts together what each trader has in common, the strongest first.
func byTrader(relations []Relation) (out []Related) {
	slices.SortStableFunc(relations, func(a, b Relation) int { return cmp.Compare(b.Strength(), a.Strength()) })
	for _, r := range relations {
		i := slices.IndexFunc(out, func(one Related) bool { return one.TraderID == r.TraderID })
		if i < 0 {
			i, out = len(out), append(out, Related{TraderID: r.TraderID})
		}
		out[i].Relations = append(out[i].Relations, r)
	}
	slices.SortStableFunc(out, func(a, b Related) int {
		return cmp.Or(cmp.Compare(b.Strength(), a.Strength()), cmp.Compare(len(b.Relations), len(a.Relations)), cmp.Compare(b.TraderID, a.TraderID))
	})
	return out
}
