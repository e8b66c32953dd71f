package kyc_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/keyring"
	"candor/app/kyc"
	"candor/app/ledger"
	"candor/app/platform/vault"
	"candor/app/platform/vault/vaulttest"
)

// TestPII submits unique texts, takes them through the desk to every end, and searches every store for them. Then the keys are rotated, the older ones retired,
// and one trader is shredded.
func TestPII(t *testing.T) {
	b := setup(t)
	var logged vaulttest.Log
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })

	var canaries []string
	var owners []ledger.Owner
	var ids []int64
	var drawn [][]byte
	for i := range 10 {
		name, number := fmt.Sprintf("Canary%dzqx Singer%dvkw", i, i), fmt.Sprintf("QZX%04dKVW", 7_000+i)
		born, expires := fmt.Sprintf("19%02d-07-2%d", 31+i, i), fmt.Sprintf("20%02d-03-1%d", 41+i, i)
		canaries = append(canaries, name, number, born, expires)
		o := b.owner()
		owners = append(owners, o)
		f := b.filled()
		f.FullName, f.Number, f.BirthDate, f.ExpiryDate = &name, &number, &born, &expires
		b.save(o, f)
		for _, side := range []kyc.Part{kyc.Front, kyc.Selfie} {
			var raw bytes.Buffer
			p := b.picture(b.next())
			decoded, err := jpeg.Decode(bytes.NewReader(p.Bytes))
			require.NoError(t, err)
			require.NoError(t, jpeg.Encode(&raw, decoded, nil))
			commented := append([]byte{0xff, 0xd8, 0xff, 0xfe, 0, byte(2 + len(name))}, name...)
			p = b.read(append(commented, raw.Bytes()[2:]...))
			_, err = b.kyc.Attach(t.Context(), o, side, p)
			require.NoError(t, err)
			drawn = append(drawn, p.Bytes)
		}
		v, err := b.trySubmit(o)
		require.NoError(t, err)
		ids = append(ids, v.ID)
		switch i {
		case 0:
			_, err = b.tryWithdraw(o)
		case 1:
			b.askedAgain(o, kyc.Ask{Part: kyc.DataPart, Reason: "name_incomplete"})
			b.save(o, kyc.Filled{FullName: text(name + " the second")})
			_, err = b.trySubmit(o)
		case 2:
			a := b.accepted(b.reviewer, b.claim(b.reviewer, v.ID))
			_, err = b.kyc.Approve(t.Context(), b.reviewer, a.ID, a.Version)
		case 3:
			a := b.claim(b.reviewer, v.ID)
			_, err = b.kyc.View(t.Context(), b.reviewer, a.ID, b.document(a.ID, kyc.Front).ID)
			require.NoError(t, err)
			_, err = b.kyc.Escalate(t.Context(), b.reviewer, a.ID, a.Version, "sanctions", "")
		}
		require.NoError(t, err)
	}
	_, err := b.kyc.Save(t.Context(), b.owner(), kyc.Filled{FullName: &canaries[0], Number: text("!")})
	require.Error(t, err)
	require.NotContains(t, err.Error(), canaries[0])

	require.Len(t, canaries, 40)
	dump, kept := vaulttest.Dump(t, b.db.Pool), vaulttest.Files(t, b.dir)
	require.True(t, vaulttest.Found(dump, "Compliance"), "the search finds what is there")
	require.True(t, vaulttest.Found(hex.EncodeToString([]byte("xx"+canaries[0])), canaries[0]))
	require.True(t, vaulttest.Found(base64.StdEncoding.EncodeToString([]byte("xx"+canaries[0]+"yy")), canaries[0]))
	for where, haystack := range map[string]string{"the database": dump, "the files": kept, "the logs": logged.String()} {
		for _, canary := range canaries {
			require.False(t, vaulttest.Found(haystack, canary), "%s is in %s", canary, where)
		}
	}
	for _, p := range drawn {
		require.NotContains(t, kept, string(p[len(p)/4:len(p)/2]), "a picture lies open")
	}
	require.Greater(t, len(kept), 1_000)

	t.Run("SwappedBetweenTwoTradersTheyAreShut", func(t *testing.T) {
		b.exec(`UPDATE kyc_applications a SET name_key = o.name_key, name_sealed = o.name_sealed FROM kyc_applications o WHERE a.id = $1 AND o.id = $2`, ids[4], ids[5])
		b.claim(b.reviewer, ids[4])
		_, err := b.kyc.Case(t.Context(), b.reviewer, ids[4])
		require.ErrorIs(t, err, vault.ErrUnreadable)
		own, others := b.document(ids[6], kyc.Front), b.document(ids[7], kyc.Front)
		b.claim(b.reviewer, ids[6])
		b.exec(`UPDATE kyc_documents SET sealed_key = $2 WHERE id = $1`, own.ID, others.SealedKey)
		sealed, err := os.ReadFile(filepath.Join(b.dir, "kyc", others.FileName))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(b.dir, "kyc", own.FileName), sealed, 0o600))
		_, err = b.kyc.View(t.Context(), b.reviewer, ids[6], own.ID)
		require.ErrorIs(t, err, vault.ErrUnreadable)
	})
	t.Run("OfTheRotatedAndRetiredAllOpen", func(t *testing.T) {
		b := b.in(t)
		require.NoError(t, b.keys.Rotate(t.Context()))
		stale, err := b.keys.Stale(t.Context())
		require.NoError(t, err)
		b.exec(`UPDATE kyc_applications SET name_key = NULL, name_sealed = NULL, state = 'draft' WHERE id = $1`, ids[4]) // it can't be opened
		rewrapped, err := b.keys.Rewrap(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, stale-1, rewrapped, "all")
		require.NoError(t, b.keys.Retire(t.Context()))
		keys, err := b.vault.Keys()
		require.NoError(t, err)
		require.Equal(t, 1, keys)
		c, err := b.kyc.Case(t.Context(), b.reviewer, b.claim(b.reviewer, ids[8]).ID)
		require.NoError(t, err)
		require.Equal(t, canaries[4*8], c.Data.FullName)
		_, err = b.kyc.View(t.Context(), b.reviewer, ids[8], b.document(ids[8], kyc.Front).ID)
		require.NoError(t, err)
		line, err := json.Marshal(map[string]any{
			"goal": "G19", "commit": os.Getenv("COMMIT"), "canaries": len(canaries), "pictures": len(drawn), "found": 0, "rewrapped": rewrapped, "stale": 0,
		})
		require.NoError(t, err)
		fmt.Println(string(line))
	})
	t.Run("OfTheShreddedNoCopyOpens", func(t *testing.T) {
		b := b.in(t)
		copied, picture := b.row(ids[0]), b.document(ids[0], kyc.Front)
		sealed, err := os.ReadFile(filepath.Join(b.dir, "kyc", picture.FileName))
		require.NoError(t, err)
		_, err = b.kyc.Shred(t.Context(), owners[0].TraderID, "asked for by the trader")
		require.NoError(t, err)
		b.exec(`UPDATE kyc_applications SET name_sealed = $2, number_sealed = $3 WHERE id = $1`, ids[0], copied.NameSealed, copied.NumberSealed)
		require.NoError(t, os.WriteFile(filepath.Join(b.dir, "kyc", picture.FileName), sealed, 0o600))
		v, err := b.kyc.Find(t.Context(), owners[0].TraderID)
		require.NoError(t, err)
		require.Empty(t, v.Data, "the ciphertexts are back, and stay shut")
		_, err = b.kyc.Picture(t.Context(), owners[0].TraderID, kyc.Front)
		require.ErrorIs(t, err, kyc.ErrNoImage)
		require.NotContains(t, vaulttest.Dump(t, b.db.Pool), hex.EncodeToString(copied.NameKey))
		require.NotContains(t, vaulttest.Dump(t, b.db.Pool), hex.EncodeToString(picture.SealedKey))
	})
}

// TestRewrap rotates the key of the data folder and rewraps every data key.
func TestRewrap(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner()
	v := b.drafted(o)
	b.attach(o, kyc.Front) // one picture is shredded
	b.submitted(b.owner())
	n, err := b.keys.Rewrap(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "all are fresh")
	before := b.row(v.ID)
	require.NoError(t, b.vault.Rotate())
	n, err = b.keys.Rewrap(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2*(4+2), n)
	n, err = b.keys.Rewrap(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	fresh, err := b.vault.Fresh()
	require.NoError(t, err)
	for _, column := range []string{"name_key", "number_key", "birth_key", "expiry_key"} {
		require.Zero(t, b.count(`SELECT count(*) FROM kyc_applications WHERE substring(`+column+` FOR 5) <> $1`, fresh))
	}
	require.Zero(t, b.count(`SELECT count(*) FROM kyc_documents WHERE substring(sealed_key FOR 5) <> $1`, fresh))
	require.True(t, b.documents(v.ID)[0].Shredded(), "what is shredded stays so")
	after := b.row(v.ID)
	require.Equal(t, before.NameSealed, after.NameSealed)
	require.Equal(t, before.Version, after.Version)
	found, err := b.kyc.Find(t.Context(), o.TraderID)
	require.NoError(t, err)
	require.Equal(t, "Erika Mustermann", found.Data.FullName)
	_, err = b.kyc.Picture(t.Context(), o.TraderID, kyc.Front)
	require.NoError(t, err)
}

func TestHolds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	holds := func() bool {
		out, err := keyring.Holds(t.Context(), b.db, kyc.SealedColumns)
		require.NoError(t, err)
		return out
	}
	o := b.owner()
	require.False(t, holds())
	b.save(o, kyc.Filled{Country: text("DE")})
	require.False(t, holds(), "nothing is sealed yet")
	b.attach(o, kyc.Front)
	require.True(t, holds())
}
