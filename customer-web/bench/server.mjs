// A process of its own: serves the built app, answers its calls from market.mjs, and ticks to the pages that it is told of.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { answers, tickAll, tickers } from './market.mjs'
import { accept } from './websocket.mjs'

// DIST names another build, to compare it with this one.
const dist = process.env.DIST ?? join(import.meta.dirname, '..', 'dist')
const TICK_MS = 100
const TICKERS_MS = 5_000
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
const pages = new Map()
let ticking = ''

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost')
  if (url.pathname.startsWith('/client/')) answer(url, response)
  else file(url.pathname === '/' ? '/index.html' : url.pathname, response)
})

function answer(url, response) {
  const data = answers[url.pathname]?.(url) ?? null
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ status: 1, code: 'ok', cnMsg: '', enMsg: '', data, traceId: 'b' }))
}

function file(path, response) {
  const found = join(dist, path)
  if (!existsSync(found)) {
    response.writeHead(404).end()
    return
  }
  const type = types[extname(path)] ?? 'application/octet-stream'
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(readFileSync(found))
}

// The page's user agent is its name: it stands in the upgrade of its websocket.
server.on('upgrade', (request, socket) => {
  const name = request.headers['user-agent']
  pages.set(name, accept(request, socket))
  socket.on('close', () => pages.delete(name))
})

// All 200 lines to everybody, subscribed or not: the store has to cope with what nobody looks at.
setInterval(() => {
  const text = JSON.stringify({ type: 12, data: tickAll() })
  pages.get(ticking)?.(text)
}, TICK_MS)
setInterval(() => pages.get(ticking)?.(JSON.stringify({ type: 17, data: tickers() })), TICKERS_MS)

process.on('message', (name) => {
  ticking = name
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
