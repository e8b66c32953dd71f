// The little of the websocket protocol (RFC 6455) that the benchmark's server needs: it says text, and hears only what is small.
import { createHash } from 'node:crypto'

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const TEXT = 0x81
const CLOSE = 0x88

/** Answers an upgrade; gives back how to send text on the connection. */
export function accept(request, socket) {
  const key = createHash('sha1').update(request.headers['sec-websocket-key'] + GUID)
  socket.write(
    `${[
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${key.digest('base64')}`,
    ].join('\r\n')}\r\n\r\n`,
  )
  socket.setNoDelay(true)
  // What the app says does not matter here, but for its goodbye.
  socket.on('data', (bytes) => bytes[0] === CLOSE && socket.end())
  socket.on('error', () => socket.destroy())
  return (text) => socket.write(frame(Buffer.from(text)))
}

function frame(body) {
  const { length } = body
  if (length < 126) return Buffer.concat([Buffer.from([TEXT, length]), body])
  if (length < 65_536) {
    return Buffer.concat([Buffer.from([TEXT, 126, length >> 8, length & 255]), body])
  }
  const head = Buffer.alloc(10)
  head.writeUInt8(TEXT, 0)
  head.writeUInt8(127, 1)
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, body])
}
