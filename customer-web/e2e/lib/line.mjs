// A connection between a browser and the server that a journey can cut: a SOCKS proxy on loopback (RFC 1928, no authentication). A cut closes all connections
// and accepts no new ones, like a lost network. The browser's own offline switch only refuses requests, and it ends Chromium 148's network process with all its
// cookies.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const CHOSEN = Buffer.from([5, 0])
const CONNECTED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])

/** Opens a connection; `proxy` is an option of newContext. */
export async function openLine() {
  const sockets = new Set()
  let cut = false
  const keep = (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const carry = async (socket) => {
    await once(socket, 'data') // the greeting
    socket.write(CHOSEN)
    const [request] = await once(socket, 'data')
    const server = connect(request.readUInt16BE(request.length - 2), '127.0.0.1') // the last two bytes are the port
    keep(server)
    server.on('connect', () => {
      socket.write(CONNECTED)
      server.pipe(socket).pipe(server)
    })
    server.on('close', () => socket.destroy())
    socket.on('close', () => server.destroy())
  }
  const proxy = createServer((socket) => {
    keep(socket)
    if (cut) socket.destroy()
    else carry(socket).catch(() => socket.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    proxy: { server: `socks5://127.0.0.1:${proxy.address().port}`, bypass: '<-loopback>' },
    cut() {
      cut = true
      end()
    },
    mend() {
      cut = false
    },
    close() {
      end()
      proxy.close()
    },
  }
}
