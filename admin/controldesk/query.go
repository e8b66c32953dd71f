package controldesk

import "net/url"

// query is a list's address with its filter, for plain links only.
type query struct {
	path   string
	values url.Values
}

func newQuery(path string) query { return query{path, url.Values{}} }

// with returns a copy with the value; an empty value removes the name.
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
