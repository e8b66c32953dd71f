package vault

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const owner = "trader:7|document:9|front"

func load(t *testing.T, dir string) *Vault {
	t.Helper()
	v, err := Load(dir, false)
	require.NoError(t, err)
	return v
}

func seal(t *testing.T, v *Vault, associated, text string) Sealed {
	t.Helper()
	s, err := v.Seal(associated, []byte(text))
	require.NoError(t, err)
	require.NotContains(t, string(s.WrappedKey)+string(s.Ciphertext), text)
	return s
}

func requireOpens(t *testing.T, v *Vault, associated string, s Sealed, want string) {
	t.Helper()
	got, err := v.open(associated, s)
	require.NoError(t, err)
	require.Equal(t, want, string(got))
}

func requireShut(t *testing.T, v *Vault, associated string, s Sealed) {
	t.Helper()
	_, err := v.open(associated, s)
	require.ErrorIs(t, err, ErrUnreadable)
}

func TestSeal(t *testing.T) {
	t.Parallel()
	v := load(t, t.TempDir())

	t.Run("OpensWhereItBelongs", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"a secret text", "another one", string(bytes.Repeat([]byte{0xff, 0, 7}, 100_000))} {
			requireOpens(t, v, owner, seal(t, v, owner, text), text)
		}
	})
	t.Run("NothingIsSealedToo", func(t *testing.T) {
		t.Parallel()
		s, err := v.Seal(owner, nil)
		require.NoError(t, err)
		requireOpens(t, v, owner, s, "")
	})
	t.Run("EachHasAKeyOfItsOwn", func(t *testing.T) {
		t.Parallel()
		one, two := seal(t, v, owner, "same text"), seal(t, v, owner, "same text")
		require.NotEqual(t, one.WrappedKey, two.WrappedKey)
		require.NotEqual(t, one.Ciphertext, two.Ciphertext)
		requireShut(t, v, owner, Sealed{one.WrappedKey, two.Ciphertext})
	})
	t.Run("BelongsToNobodyElse", func(t *testing.T) {
		t.Parallel()
		s := seal(t, v, owner, "a secret text")
		for _, other := range []string{"trader:8|document:9|front", "trader:7|document:9|back", "trader:7|document:99|front", "", owner + " "} {
			requireShut(t, v, other, s)
		}
	})
	t.Run("AFlippedBitShuts", func(t *testing.T) {
		t.Parallel()
		s := seal(t, v, owner, "a secret text")
		for i := range s.Ciphertext {
			spoiled := bytes.Clone(s.Ciphertext)
			spoiled[i] ^= 1 << (i % 8)
			requireShut(t, v, owner, Sealed{s.WrappedKey, spoiled})
		}
		for i := range s.WrappedKey {
			spoiled := bytes.Clone(s.WrappedKey)
			spoiled[i] ^= 1 << (i % 8)
			requireShut(t, v, owner, Sealed{spoiled, s.Ciphertext})
		}
		requireShut(t, v, owner, Sealed{s.WrappedKey, s.Ciphertext[1:]})
		requireOpens(t, v, owner, s, "a secret text")
	})
	t.Run("WithoutItsWrappedKeyItIsGone", func(t *testing.T) {
		t.Parallel()
		s := seal(t, v, owner, "a secret text")
		requireShut(t, v, owner, Sealed{nil, s.Ciphertext})
		requireShut(t, v, owner, Sealed{[]byte{}, s.Ciphertext})
		_, err := v.Rewrap(Sealed{nil, s.Ciphertext})
		require.ErrorIs(t, err, ErrUnreadable)
	})
	t.Run("AnotherFoldersKeysOpenNothing", func(t *testing.T) {
		t.Parallel()
		requireShut(t, load(t, t.TempDir()), owner, seal(t, v, owner, "a secret text"))
	})
}

func TestRotate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := load(t, dir)
	old := seal(t, v, owner, "sealed before")
	tag, err := v.Tag("number", []byte("C01X00T47"))
	require.NoError(t, err)
	fresh, err := v.Fresh()
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(old.WrappedKey, fresh))

	require.NoError(t, v.Rotate())
	requireOpens(t, v, owner, old, "sealed before")
	fresh, err = v.Fresh()
	require.NoError(t, err)
	require.False(t, bytes.HasPrefix(old.WrappedKey, fresh), "the old key has wrapped it")
	require.True(t, bytes.HasPrefix(seal(t, v, owner, "sealed after").WrappedKey, fresh), "the new key wraps")

	wrapped, err := v.Rewrap(old)
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(wrapped.WrappedKey, fresh))
	require.Equal(t, old.Ciphertext, wrapped.Ciphertext, "the ciphertext is left alone")
	requireOpens(t, v, owner, wrapped, "sealed before")
	requireShut(t, v, "trader:8|document:9|front", wrapped)

	again, err := v.Tag("number", []byte("C01X00T47"))
	require.NoError(t, err)
	require.Equal(t, tag, again, "tags stay comparable")
	requireOpens(t, load(t, dir), owner, wrapped, "sealed before")
	info, err := os.Stat(v.path)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
}

func TestServersShareTheKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var group sync.WaitGroup
	servers := make([]*Vault, 8)
	for i := range servers {
		group.Go(func() { servers[i], _ = Load(dir, false) })
	}
	group.Wait()
	for _, v := range servers {
		require.NotNil(t, v)
		requireOpens(t, servers[0], owner, seal(t, v, owner, "anybody's"), "anybody's")
	}
	require.NoError(t, servers[1].Rotate())
	requireOpens(t, servers[0], owner, seal(t, servers[1], owner, "with the new key"), "with the new key")
	require.NoError(t, servers[2].Rotate(), "on top of the other's rotation")
	requireOpens(t, load(t, dir), owner, seal(t, servers[1], owner, "with the key before"), "with the key before")
	left, err := os.ReadDir(filepath.Join(dir, "keys"))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing is left beside the key file")
}

func TestARotationThatWasCutShortIsSaid(t *testing.T) {
	t.Parallel()
	v := load(t, t.TempDir())
	require.NoError(t, os.WriteFile(v.path+".next", []byte("half"), 0o600))
	before, err := os.ReadFile(v.path)
	require.NoError(t, err)
	require.ErrorContains(t, v.Rotate(), "cut short")
	after, err := os.ReadFile(v.path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestTag(t *testing.T) {
	t.Parallel()
	v := load(t, t.TempDir())
	tag := func(v *Vault, purpose, text string) string {
		out, err := v.Tag(purpose, []byte(text))
		require.NoError(t, err)
		require.Len(t, out, TagSize)
		return string(out)
	}
	require.Equal(t, tag(v, "number", "C01X00T47"), tag(v, "number", "C01X00T47"))
	for _, other := range [][2]string{{"number", "C01X00T48"}, {"picture", "C01X00T47"}, {"numberC", "01X00T47"}, {"", "numberC01X00T47"}} {
		require.NotEqual(t, tag(v, "number", "C01X00T47"), tag(v, other[0], other[1]))
	}
	require.NotEqual(t, tag(v, "number", "C01X00T47"), tag(load(t, t.TempDir()), "number", "C01X00T47"))
}

func TestLoad(t *testing.T) {
	t.Parallel()

	t.Run("AMissingFileWithSecretsIsRefused", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		_, err := Load(dir, true)
		require.ErrorContains(t, err, "restore it from the backup")
		_, err = os.Stat(filepath.Join(dir, "keys"))
		require.ErrorIs(t, err, fs.ErrNotExist, "no new keys were made")
	})
	t.Run("TheFileIsKept", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		s := seal(t, load(t, dir), owner, "a secret text")
		v, err := Load(dir, true)
		require.NoError(t, err)
		requireOpens(t, v, owner, s, "a secret text")
		info, err := os.Stat(v.path)
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	})
	t.Run("ADamagedFileIsNotReplaced", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		v := load(t, dir)
		for _, text := range []string{"", "{}", `{"wrapping":"AAAA","tagging":"AAAA"}`, "short"} {
			require.NoError(t, os.WriteFile(v.path, []byte(text), 0o600))
			_, err := Load(dir, false)
			require.ErrorContains(t, err, "damaged", text)
			left, err := os.ReadFile(v.path)
			require.NoError(t, err)
			require.Equal(t, text, string(left))
		}
	})
}

func TestFolder(t *testing.T) {
	t.Parallel()
	f := NewFolder(filepath.Join(t.TempDir(), "kyc"))
	name, err := f.Put([]byte("ciphertext"))
	require.NoError(t, err)
	text, err := f.Get(name)
	require.NoError(t, err)
	require.Equal(t, "ciphertext", string(text))
	for _, bad := range []string{"", "../" + name, "/etc/passwd", name + ".jpg", "x"} {
		_, err := f.Get(bad)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorIs(t, f.Remove(bad), fs.ErrNotExist)
	}
	require.NoError(t, f.Remove(name))
	require.NoError(t, f.Remove(name))
	_, err = f.Get(name)
	require.True(t, errors.Is(err, fs.ErrNotExist))
}

func TestRetire(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v, other := load(t, dir), load(t, dir)
	old := seal(t, v, owner, "sealed before")
	require.NoError(t, v.Rotate())
	wrapped, err := v.Rewrap(old)
	require.NoError(t, err)
	fresh, err := v.Fresh()
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(seal(t, other, owner, "by another server").WrappedKey, fresh), "whoever seals uses the newest key of the file")
	keys, err := v.Keys()
	require.NoError(t, err)
	require.Equal(t, 2, keys)

	require.NoError(t, v.Retire())
	keys, err = other.Keys()
	require.NoError(t, err)
	require.Equal(t, 1, keys)
	requireOpens(t, v, owner, wrapped, "sealed before")
	requireOpens(t, load(t, dir), owner, wrapped, "sealed before")
	for _, one := range []*Vault{v, other, load(t, dir)} {
		requireShut(t, one, owner, old)
		_, err = one.Rewrap(old)
		require.ErrorIs(t, err, ErrUnreadable)
	}
	require.NoError(t, v.Retire(), "there is nothing to retire")
	requireOpens(t, v, owner, wrapped, "sealed before")
}
