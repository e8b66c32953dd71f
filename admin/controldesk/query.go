package controldesk

import "net/url"

// query is an address with what narrows a list. It is only ever put into a plain link.
type query struct {
	path   string
	values url.Values
}

func newQuery(path string) query { return query{path, url.Values{}} }

// with returns a copy that has one more value; an empty one leaves it out.
func (q query) with(name, value string) query {
	out := query{q.path, url.Values{}}
	for n, v := range q.values {
		out.values[n] = v
	}
	out.values.Del(name)
	if value != "" {
		out.values.Set(name, value)
	}
	return out
}

// String is the address.
func (q query) String() string {
	if len(q.values) == 0 {
		return q.path
	}
	return q.path + "?" + q.values.Encode()
}
