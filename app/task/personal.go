package task

import "candor/app/platform/personal"

// Personal is what this package keeps about a trader: work of staff, which is theirs.
func Personal() personal.Source {
	return personal.Source{Tables: map[string]personal.Treatment{"tasks": personal.Kept}}
}
