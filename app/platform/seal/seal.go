// Package seal makes records tamper-evident: a Merkle root over a batch of leaves, chained to the batch before, signed, and written outside the database too.
//
// Leaf hash = SHA-256(0x00 ‖ leaf), node hash = SHA-256(0x01 ‖ left ‖ right), an odd node is carried up unchanged
// (the tree of RFC 6962, section 2.1). Head hash = SHA-256(previous head hash ‖ batch number ‖ root ‖ leaf count ‖ sealing time in ms),
// numbers as 8 bytes big endian; the signature is Ed25519 over the head hash.
package seal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// HashSize is the length of every hash in bytes.
const HashSize = sha256.Size

// Hash is a leaf, node, root or head hash.
type Hash [HashSize]byte

// Leaf hashes one record's canonical bytes.
func Leaf(record []byte) Hash {
	h := sha256.New()
	h.Write([]byte{0})
	h.Write(record)
	return Hash(h.Sum(nil))
}

func node(left, right Hash) Hash {
	var buffer [1 + 2*HashSize]byte
	buffer[0] = 1
	copy(buffer[1:], left[:])
	copy(buffer[1+HashSize:], right[:])
	return sha256.Sum256(buffer[:])
}

// Root is the Merkle root of the leaves in order; the root of none is the hash of nothing.
func Root(leaves []Hash) Hash {
	if len(leaves) == 0 {
		return sha256.Sum256(nil)
	}
	level := append([]Hash(nil), leaves...)
	for len(level) > 1 {
		level = parents(level)
	}
	return level[0]
}

func parents(level []Hash) []Hash {
	next := level[:0]
	for i := 0; i < len(level); i += 2 {
		if i+1 == len(level) {
			next = append(next, level[i])
		} else {
			next = append(next, node(level[i], level[i+1]))
		}
	}
	return next
}

// Step is one sibling on the way from a leaf to its root; Left reports whether the sibling is on the left.
type Step struct {
	Left bool
	Hash Hash
}

// Path proves that the leaf at index belongs to the root of leaves.
func Path(leaves []Hash, index int) []Step {
	var path []Step
	level := append([]Hash(nil), leaves...)
	for len(level) > 1 {
		sibling := index ^ 1
		if sibling < len(level) {
			path = append(path, Step{Left: sibling < index, Hash: level[sibling]})
		}
		level = parents(level)
		index /= 2
	}
	return path
}

// Climb recomputes the root from a leaf and its path.
func Climb(leaf Hash, path []Step) Hash {
	at := leaf
	for _, step := range path {
		if step.Left {
			at = node(step.Hash, at)
		} else {
			at = node(at, step.Hash)
		}
	}
	return at
}

// Head is the sealed end of a chain after one batch.
type Head struct {
	Batch     int64
	Previous  Hash
	Root      Hash
	Count     int64
	SealedAt  time.Time // to the millisecond
	Hash      Hash
	Signature []byte
}

// Digest is the head's hash, computed from its other fields.
func (h Head) Digest() Hash {
	var buffer bytes.Buffer
	buffer.Write(h.Previous[:])
	writeInt(&buffer, h.Batch)
	buffer.Write(h.Root[:])
	writeInt(&buffer, h.Count)
	writeInt(&buffer, h.SealedAt.UnixMilli())
	return sha256.Sum256(buffer.Bytes())
}

func writeInt(buffer *bytes.Buffer, v int64) {
	_ = binary.Write(buffer, binary.BigEndian, v)
}

// Next seals leaves as the given batch, chained to previous. Batch numbers rise, but a number may be left out.
func Next(previous Head, batch int64, leaves []Hash, at time.Time, key ed25519.PrivateKey) Head {
	head := Head{
		Batch: batch, Previous: previous.Hash, Root: Root(leaves),
		Count: int64(len(leaves)), SealedAt: at.UTC().Truncate(time.Millisecond),
	}
	head.Hash = head.Digest()
	head.Signature = ed25519.Sign(key, head.Hash[:])
	return head
}

// Genuine reports whether the head's hash fits its fields and its signature fits the public key.
func (h Head) Genuine(key ed25519.PublicKey) bool {
	return h.Hash == h.Digest() && ed25519.Verify(key, h.Hash[:], h.Signature)
}
