package stream

import "encoding/binary"

// The kinds of websocket frames that the server writes (RFC 6455, 5.2).
const (
	textFrame  = 1
	closeFrame = 8
)

// headRoom is the longest header of a frame that the server writes: nothing of it is masked or split.
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

// appendFrame appends a whole frame.
func appendFrame(out []byte, kind byte, payload []byte) []byte {
	return append(appendHeader(out, kind, len(payload)), payload...)
}

// sealFrame makes a text frame of a payload that has headRoom bytes free before it: the header is put right before the payload, so nothing is copied.
func sealFrame(room []byte) []byte {
	var header [headRoom]byte
	h := appendHeader(header[:0], textFrame, len(room)-headRoom)
	frame := room[headRoom-len(h):]
	copy(frame, h)
	return frame
}
