// Generates a small recording in the replay's format: six hours of gold, currencies and bitcoin in a long fall.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** A Tuesday: every market opens during the day. */
const DAY = '2024-03-05'
const STEP_MS = 1_000

/** The end of the trading day: 17:00 in New York, in hours UTC. */
export const ROLLOVER_HOUR = 22

// The prices are waves and noise on a constant fall, so that a long position with full leverage is soon stopped out, whenever it is opened.
const STEPS = 6 * 60 * 60
const FALL_PER_HOUR = 0.03
const UNREST = 0.00015

/** The price of each step as a multiple of the opening price; deterministic. */
function* levels(seed) {
  let state = seed
  let unrest = 0
  for (let step = 0; step < STEPS; step++) {
    state = (state * 48_271) % 2_147_483_647
    unrest = 0.97 * unrest + UNREST * (state / 2_147_483_647 - 0.5)
    const wave = 0.002 * Math.sin(step / 400) + 0.0002 * Math.sin(step / 37)
    yield 1 + wave + unrest - (FALL_PER_HOUR * step) / 3_600
  }
}

const products = [
  { folder: 'forex', symbol: 'EURUSD', open: 1.0855, spread: 0.00012, decimals: 5 },
  { folder: 'forex', symbol: 'USDHKD', open: 7.8201, spread: 0.0004, decimals: 5 },
  { folder: 'metals', symbol: 'XAUUSD', open: 2114.6, spread: 0.35, decimals: 2 },
  { folder: 'crypto', symbol: 'BTCUSD', open: 67_250, spread: 8, decimals: 2 },
]

/** Writes the recording into dir and returns dir. It starts at the given hour (UTC) and ends by the end of the day. */
export function writeRecording(dir, fromHour = 0) {
  const start = Date.parse(`${DAY}T00:00:00Z`) + fromHour * 3_600_000
  const end = Date.parse(`${DAY}T23:59:59Z`)
  for (const { folder, symbol, open, spread, decimals } of products) {
    const rows = ['ts_ms,bid,ask']
    let at = start
    for (const level of levels(Math.round(open * 1_000))) {
      if (at > end) break
      const bid = open * level
      rows.push(`${at},${bid.toFixed(decimals)},${(bid + spread).toFixed(decimals)}`)
      at += STEP_MS
    }
    mkdirSync(join(dir, folder, symbol), { recursive: true })
    writeFileSync(join(dir, folder, symbol, `${DAY}.csv.gz`), gzipSync(`${rows.join('\n')}\n`))
  }
  return dir
}
