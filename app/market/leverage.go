package market

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// Caps are the highest leverages by class and country; the empty country covers all others.
type Caps map[Class]map[string]int

// ReadCaps reads the caps of this installation.
func ReadCaps(ctx context.Context, q querier) (Caps, error) {
	rows, err := q.Query(ctx, `SELECT class, country, maximum FROM leverage_caps`)
	if err != nil {
		return nil, fmt.Errorf("read the leverage caps: %w", err)
	}
	out := Caps{}
	var class Class
	var country string
	var maximum int
	_, err = pgx.ForEachRow(rows, []any{&class, &country, &maximum}, func() error {
		if out[class] == nil {
			out[class] = map[string]int{}
		}
		out[class][country] = maximum
		return nil
	})
	return out, err
}

// Of is the cap for a class in a country; 0 when there is none.
func (c Caps) Of(class Class, country string) int {
	if maximum, ok := c[class][country]; ok {
		return maximum
	}
	return c[class][""]
}

// LeverageCap is the highest leverage for a class in a country; 0 when there is none.
func (s *Service) LeverageCap(class Class, country string) int { return s.caps.Of(class, country) }

// Leverages is a product's leverage list for traders of a country, the default first: values above the cap become the cap.
func (s *Service) Leverages(p Product, country string) []int {
	return capped(p.Leverages(), s.caps.Of(p.Class, country))
}

func capped(list []int, maximum int) (out []int) {
	for _, leverage := range list {
		if maximum > 0 {
			leverage = min(leverage, maximum)
		}
		if !slices.Contains(out, leverage) {
			out = append(out, leverage)
		}
	}
	return out
}
