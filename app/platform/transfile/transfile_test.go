package transfile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"candor/app/platform/transfile"
)

var units = []transfile.Unit{
	{Item: "N-2001", Version: "ab12", Part: "title", From: "en", To: "ko", Source: "=A & <b>", Target: ""},
	{Item: "N-2001", Version: "ab12", Part: "body", From: "en", To: "ko", Source: "<p>One.</p>\n<p>Two \"2\"; three.</p>", Target: "<p>하나.</p>"},
	{Item: "N-2001", Version: "ab12", Part: "title", From: "en", To: "ar", Source: "=A & <b>", Target: "عنوان"},
	{Item: "N-2002", Version: "cd34", Part: "title", From: "en", To: "ar", Source: "'quoted", Target: "-5"},
}

func written(t *testing.T, write func(*bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, write(&out))
	return out.Bytes()
}

func xliff(t *testing.T) string {
	return string(written(t, func(out *bytes.Buffer) error { return transfile.WriteXLIFF(out, units) }))
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	sheet := written(t, func(out *bytes.Buffer) error { return transfile.WriteCSV(out, units) })
	for _, raw := range [][]byte{[]byte(xliff(t)), sheet, append([]byte("\xef\xbb\xbf"), sheet...)} {
		read, err := transfile.Read(raw)
		require.NoError(t, err)
		require.Equal(t, units, read)
	}
	read, err := transfile.Read([]byte("item;version;part;source_language;target_language;source;target\nN-1;v;title;en;de;One, two;Eins, zwei\n"))
	require.NoError(t, err)
	require.Equal(t, "Eins, zwei", read[0].Target)
}

// TestSegmentsAreJoined: translation tools mark segments within a target.
func TestSegmentsAreJoined(t *testing.T) {
	t.Parallel()
	read, err := transfile.Read([]byte(strings.Replace(xliff(t), "<target>عنوان</target>", `<target><mrk mtype="seg" mid="1">One. </mrk><mrk mtype="seg" mid="2">Two.</mrk></target>`, 1)))
	require.NoError(t, err)
	require.Equal(t, "One. Two.", read[2].Target)
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	good := xliff(t)
	for name, c := range map[string]struct {
		raw  string
		want error
	}{
		"nothing":           {"", transfile.ErrFormat},
		"a picture":         {"\x89PNG\r\n\x00", transfile.ErrFormat},
		"another format":    {"<html></html>", transfile.ErrFormat},
		"another version":   {strings.Replace(good, `version="1.2"`, `version="2.0"`, 1), transfile.ErrFormat},
		"broken":            {good[:len(good)-20], transfile.ErrFormat},
		"an entity":         {strings.Replace(good, "<xliff", `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><xliff`, 1), transfile.ErrFormat},
		"an unknown entity": {strings.Replace(good, "عنوان", "&e;", 1), transfile.ErrFormat},
		"inline elements":   {strings.Replace(good, "عنوان", `<g id="1">x</g>`, 1), transfile.ErrMarkup},
		"other columns":     {"item,part,target\nN-1,title,x\n", transfile.ErrFormat},
		"a missing cell":    {"item,version,part,source_language,target_language,source,target\nN-1,v,title\n", transfile.ErrFormat},
		"twice":             {"item,version,part,source_language,target_language,source,target\nN-1,v,title,en,de,a,b\nN-1,v,title,en,de,a,c\n", transfile.ErrTwice},
		"too large":         {strings.Repeat("x", transfile.MaxBytes+1), transfile.ErrSize},
	} {
		_, err := transfile.Read([]byte(c.raw))
		require.ErrorIs(t, err, c.want, name)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("<xliff version=\"1.2\"><file original=\"N-1\"><body><trans-unit id=\"title\"><source>a</source><target>b</target></trans-unit></body></file></xliff>"))
	f.Add([]byte("item,version,part,source_language,target_language,source,target\nN-1,v,title,en,de,a,b\n"))
	f.Fuzz(func(_ *testing.T, raw []byte) { _, _ = transfile.Read(raw) })
}
