package ui

import (
	"hash/fnv"
	"strconv"
)

// avatarColours is how many colours the style sheet has for people.
const avatarColours = 12

// avatarColour is the class of a name's colour, the same on every page; none without a name.
func avatarColour(name string) string {
	if name == "" {
		return ""
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return "avatar-c" + strconv.Itoa(int(h.Sum32()%avatarColours))
}
