package seal

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func publicKey(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }

func leaves(n int) []Hash {
	out := make([]Hash, n)
	for i := range out {
		out[i] = Leaf(fmt.Appendf(nil, "record %d", i))
	}
	return out
}

func TestPathLeadsFromEveryLeafToTheRoot(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 33; n++ {
		all := leaves(n)
		root := Root(all)
		for i := range all {
			require.Equal(t, root, Climb(all[i], Path(all, i)), "leaf %d of %d", i, n)
			require.NotEqual(t, root, Climb(Leaf([]byte("forged")), Path(all, i)))
		}
	}
}

func TestRootDependsOnOrderAndCount(t *testing.T) {
	t.Parallel()
	all := leaves(5)
	root := Root(all)
	require.Equal(t, root, Root(leaves(5)), "the input is left alone")
	all[1], all[2] = all[2], all[1]
	require.NotEqual(t, root, Root(all))
	require.NotEqual(t, root, Root(leaves(4)))
}

func TestHeadIsGenuineOnlyUntouched(t *testing.T) {
	t.Parallel()
	key, err := LoadKey(t.TempDir())
	require.NoError(t, err)
	head := Next(Head{}, 1, leaves(3), time.Now(), key)
	require.True(t, head.Genuine(publicKey(key)))
	altered := head
	altered.Count++
	require.False(t, altered.Genuine(publicKey(key)))
	other, err := LoadKey(t.TempDir())
	require.NoError(t, err)
	require.False(t, head.Genuine(publicKey(other)))
}

func TestOutsideKeepsTheLastWholeLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, err := LoadKey(dir)
	require.NoError(t, err)
	outside := NewCheckpointStore(dir, "tape")
	_, ok, err := outside.Last()
	require.NoError(t, err)
	require.False(t, ok)
	first := Next(Head{}, 1, leaves(2), time.Now(), key)
	second := Next(first, 2, leaves(4), time.Now(), key)
	require.NoError(t, outside.Append(first))
	require.NoError(t, outside.Append(second))
	file, err := os.OpenFile(outside.Path(), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"batch":3,"pre`)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	last, ok, err := outside.Last()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, second, last)
}

func TestALineAfterOneThatWasCutShortStandsAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key, err := LoadKey(dir)
	require.NoError(t, err)
	outside := NewCheckpointStore(dir, "tape")
	heads := []Head{Next(Head{}, 1, leaves(2), time.Now(), key)}
	heads = append(heads, Next(heads[0], 2, leaves(4), time.Now(), key))
	require.NoError(t, outside.Append(heads[0]))
	file, err := os.OpenFile(outside.Path(), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(`{"batch":2,"pre`)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.NoError(t, outside.Append(heads[1]))
	var kept []Head
	require.NoError(t, outside.Each(func(h Head) { kept = append(kept, h) }))
	require.Equal(t, heads, kept)
}

func TestADamagedKeyIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := LoadKey(dir)
	require.NoError(t, err)
	path := filepath.Join(dir, "keys", "seal.ed25519")
	require.NoError(t, os.WriteFile(path, []byte("short"), 0o600))
	_, err = LoadKey(dir)
	require.ErrorContains(t, err, "damaged")
	left, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "short", string(left))
}

func TestKeyIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one, err := LoadKey(dir)
	require.NoError(t, err)
	two, err := LoadKey(dir)
	require.NoError(t, err)
	require.Equal(t, one, two)
}
