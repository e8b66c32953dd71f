// P22: from an empty cache to the first price on the page of quotes, beside a static page that loads as many bytes, opens one websocket and prints its first frame.
// OTHER names another build of candor, whose start is then measured in turn with this one, also on a slow mobile network.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { startServer } from '../e2e/lib/server.mjs'
import { weigh } from '../e2e/lib/weight.mjs'
import { accept } from './websocket.mjs'

const ROUNDS = 9
const SLOWER = 4
const networks = {
  wire: { megabits: 10, latency: 40 },
  mobile: { megabits: 1.6, latency: 150 },
}
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'en-GB' }

/** Runs in the page before anything else: notes when a price first shows. */
function watchForPrice() {
  const shows = () => /\d[.,]\d{2}/.test(document.querySelector('main')?.innerText ?? '')
  const look = () => {
    if (shows()) window.firstPriceAt = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** The milliseconds until a price shows, in a new profile. */
async function timeToPrice(browser, url, { megabits, latency }) {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: (megabits * 1e6) / 8,
    uploadThroughput: (megabits * 1e6) / 8,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript(watchForPrice)
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.firstPriceAt, null, { timeout: 120_000 })
  const at = await page.evaluate(() => window.firstPriceAt)
  await context.close()
  return at
}

/** A page of so many bytes that prints the first frame of its websocket. */
function startReference(bytes) {
  const script = `new WebSocket(location.href.replace('http', 'ws')).onmessage = ({ data }) => { document.querySelector('main').innerText = data }
// ${randomBytes(bytes / 2).toString('hex')}`
  const html = '<!doctype html><title>Reference</title><main></main><script src="/a.js"></script>'
  const server = createServer(({ url }, response) => {
    const [type, body] = url === '/a.js' ? ['text/javascript', script] : ['text/html', html]
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  server.on('upgrade', (request, socket) => accept(request, socket)('1.15812'))
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]

/** The median of each page; they are measured in turn, so that the machine's other work meets all of them. */
async function inTurns(browser, urls, network) {
  const times = new Map(urls.map((url) => [url, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const url of urls) times.get(url).push(await timeToPrice(browser, url, network))
  }
  return urls.map((url) => Math.round(median(times.get(url))))
}

export async function measureColdStart(browser) {
  const server = await startServer()
  const other = process.env.OTHER ? await startServer({ binary: process.env.OTHER }) : null
  const path = '/#/quotes?tab=forex'
  const app = server.url + path
  const { files } = await weigh(browser, app, phone)
  const bytes = files.reduce((sum, one) => sum + one.bytes, 0)
  const reference = await startReference(bytes)
  const base = `http://127.0.0.1:${reference.address().port}/`
  try {
    const [ours, theirs] = await inTurns(browser, [app, base], networks.wire)
    const detail = { what: 'ms to the first price', ours, reference: theirs, kB: bytes / 1000 }
    console.log(`cold start: ${ours} ms, the reference page ${theirs} ms, ${bytes} bytes each`)
    if (other) {
      const [now, before] = await inTurns(browser, [app, other.url + path], networks.mobile)
      detail.mobile = { now, before }
      console.log(`on 1.6 Mbit/s and 150 ms: ${now} ms, ${before} ms with ${process.env.OTHER}`)
    }
    const value = ours / theirs
    return [{ id: 'P22', value, target: 2, better: 'lower', rounds: ROUNDS, detail }]
  } finally {
    reference.close()
    await server.stop()
    await other?.stop()
  }
}
