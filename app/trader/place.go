package trader

import (
	"golang.org/x/text/language"

	"candor/app/platform/geo"
)

// placeFacts are the facts of the audit entry of a log-in, or of a refused one: its place, as it is known now.
func (s *Service) placeFacts(ip string) facts {
	out := facts{}
	if place := s.sessions.Place(ip); place != (geo.Place{}) {
		out["country"] = place.Country
		if place.City != "" {
			out["city"] = place.City
		}
	}
	return out
}

// from is an address with its place, where known, for a message.
func (s *Service) from(ip, lang string) string {
	place := s.sessions.Place(ip)
	if place.Country == "" {
		return ip
	}
	return ip + " (" + s.placeName(place, lang) + ")"
}

func (s *Service) placeName(p geo.Place, lang string) string {
	country := Country{ISO: p.Country}.NameIn(language.Make(lang))
	if p.City == "" {
		return country
	}
	return s.texts.T(lang, "place.city", map[string]any{"city": p.City, "country": country})
}
