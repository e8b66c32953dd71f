package seal

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// CheckpointStore is the file that keeps a chain's signed heads outside the database, one line of JSON each.
// A cut tail of the database shows against its last line.
type CheckpointStore struct{ path string }

// NewCheckpointStore names the file of the chain in dir, for example heads/tape.jsonl.
func NewCheckpointStore(dir, chain string) *CheckpointStore {
	return &CheckpointStore{path: filepath.Join(dir, "heads", chain+".jsonl")}
}

// Path is the path of the file.
func (o *CheckpointStore) Path() string { return o.path }

type line struct {
	Batch     int64  `json:"batch"`
	Previous  string `json:"previous"`
	Root      string `json:"root"`
	Count     int64  `json:"count"`
	SealedAt  int64  `json:"sealedAt"`
	Hash      string `json:"hash"`
	Signature string `json:"signature"`
}

// Append writes a head that the database has committed.
func (o *CheckpointStore) Append(h Head) error {
	if err := os.MkdirAll(filepath.Dir(o.path), 0o700); err != nil {
		return fmt.Errorf("make the folder of heads: %w", err)
	}
	file, err := os.OpenFile(o.path, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("open the file of heads: %w", err)
	}
	if err := endLine(file); err != nil {
		return errors.Join(err, file.Close())
	}
	text, err := json.Marshal(line{
		h.Batch, hex.EncodeToString(h.Previous[:]), hex.EncodeToString(h.Root[:]), h.Count,
		h.SealedAt.UnixMilli(), hex.EncodeToString(h.Hash[:]), hex.EncodeToString(h.Signature),
	})
	if err == nil {
		_, err = file.Write(append(text, '\n'))
	}
	return errors.Join(err, file.Close())
}

// endLine ends a line that a crash cut short, so that the next one stands alone.
func endLine(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err = file.WriteString("\n")
	return err
}

// Last reads the newest head; ok is false when none was written yet.
func (o *CheckpointStore) Last() (head Head, ok bool, err error) {
	err = o.Each(func(h Head) { head, ok = h, true })
	return head, ok, err
}

// Each reads the heads in the order they were written. A line that a crash cut short is skipped.
func (o *CheckpointStore) Each(f func(Head)) error {
	file, err := os.Open(o.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the file of heads: %w", err)
	}
	defer func() { _ = file.Close() }()
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		if head, err := parseLine(scanner.Bytes()); err == nil {
			f(head)
		}
	}
	return scanner.Err()
}

func parseLine(text []byte) (Head, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return Head{}, err
	}
	h := Head{Batch: l.Batch, Count: l.Count, SealedAt: time.UnixMilli(l.SealedAt).UTC()}
	signature, err := hex.DecodeString(l.Signature)
	h.Signature = signature
	return h, errors.Join(err, unhex(l.Previous, &h.Previous), unhex(l.Root, &h.Root), unhex(l.Hash, &h.Hash))
}

func unhex(text string, into *Hash) error {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != HashSize {
		return errors.New("seal: not a hash")
	}
	copy(into[:], raw)
	return nil
}

// LoadKey reads the signing key of the data folder, and makes it on the first start.
func LoadKey(dir string) (ed25519.PrivateKey, error) {
	path := filepath.Join(dir, "keys", "seal.ed25519")
	raw, err := os.ReadFile(path)
	if err == nil {
		if len(raw) != ed25519.SeedSize {
			return nil, fmt.Errorf("the signing key %s is damaged: restore it from the backup", path)
		}
		return ed25519.NewKeyFromSeed(raw), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of keys: %w", err)
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := rand.Read(seed); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, seed, 0o600); err != nil {
		return nil, fmt.Errorf("write the signing key: %w", err)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}
