package bench

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFrameReader splits two frames at every byte: the counts never depend on where a read ends.
func TestFrameReader(t *testing.T) {
	t.Parallel()
	line := func(at int) string {
		return fmt.Sprintf(`{"productId":1,"price":"1.00000","time":%d,"halted":false}`, at)
	}
	framed := func(payload string) []byte {
		return append([]byte{0x81, 126, byte(len(payload) >> 8), byte(len(payload))}, payload...)
	}
	two := append(framed(`{"type":12,"data":[`+line(111)+","+line(111)+`]}`), framed(`{"type":12,"data":[`+line(111)+","+line(111)+","+line(111)+`]}`)...)
	for cut := range two {
		r := &frameReader{}
		var frames, lines int64
		for _, piece := range [][]byte{two[:cut], two[cut:]} {
			f, l, sample := r.consume(piece)
			frames, lines = frames+f, lines+l
			require.Contains(t, []int64{0, 111}, sample)
		}
		require.Equal(t, []int64{2, 5}, []int64{frames, lines}, "cut at %d", cut)
	}
	require.Zero(t, lineTime([]byte(`"time":12`)), "a time that is cut is none")
	require.EqualValues(t, 12, lineTime([]byte(`"time":12,`)))
}

func TestClientFramesAreMasked(t *testing.T) {
	t.Parallel()
	require.Equal(t, []byte{0x81, 0x82, 0, 0, 0, 0, '{', '}'}, clientFrame([]byte("{}")))
	require.Equal(t, []byte{0x81, 0xfe, 0, 200, 0, 0, 0, 0}, clientFrame(make([]byte, 200))[:8])
}
