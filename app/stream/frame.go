package stream

import "encoding/binary"

// The frame types that the server writes (RFC 6455, 5.2).
const (
	textFrame  = 1
	closeFrame = 8
)

// headRoom is the longest header that the server writes: its frames are neither masked nor fragmented.
const headRoom = 10

// appendHeader appends the header of a whole frame with a payload of n bytes.
func appendHeader(out []byte, kind byte, n int) []byte {
	out = append(out, 0x80|kind)
	switch {
	case n < 126:
		return append(out, byte(n))
	case n < 1<<16:
		return binary.BigEndian.AppendUint16(append(out, 126), uint16(n))
	}
	return binary.BigEndian.AppendUint64(append(out, 127), uint64(n))
}

func appendFrame(out []byte, kind byte, payload []byte) []byte {
	return append(appendHeader(out, kind, len(payload)), payload...)
}

// sealFrame makes a text frame of a payload with headRoom free bytes before it: the header goes directly before the payload, so nothing is copied.
func sealFrame(room []byte) []byte {
	var header [headRoom]byte
	h := appendHeader(header[:0], textFrame, len(room)-headRoom)
	frame := room[headRoom-len(h):]
	copy(frame, h)
	return frame
}
