// P18, the frames: 60 s of the page of quotes on a phone, four times slower than this machine, in five rounds between which other pages take their turn.
import { watchFrames } from './frames.mjs'
import { openQuotes, scroll } from './page.mjs'

const ROUNDS = 5
const THROTTLE = 4
const WARM_UP_MS = 3_000
const SETTLE_MS = 500
/** Seconds of one turn. */
const TURNS = { phone: 12, quiet: 3, blank: 3, desktop: 3 }

const sum = (values) => values.reduce((all, one) => all + one, 0)
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

export async function measureFrames(browser, bench) {
  const pages = {
    phone: await prepare(browser, bench, 'phone'),
    desktop: await prepare(browser, bench, 'desktop'),
    blank: await prepare(browser, bench, 'blank'),
  }
  const turns = { phone: [], quiet: [], blank: [], desktop: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [turn, seconds] of Object.entries(TURNS)) {
      const page = pages[turn === 'quiet' ? 'phone' : turn]
      bench.tick(turn === 'phone' || turn === 'desktop' ? turn : '')
      turns[turn].push(await watch(page, seconds, round % 2 === 0 ? -1 : 1))
    }
  }
  for (const { page } of Object.values(pages)) await page.context().close()
  return report(turns)
}

async function prepare(browser, bench, name) {
  const view = name === 'blank' ? 'phone' : name
  const page =
    name === 'blank'
      ? await blankPage(browser)
      : await openQuotes(browser, bench, { view, name, watch: watchFrames })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  bench.tick(name)
  await page.waitForTimeout(WARM_UP_MS)
  return { page, session, view, scrolls: name !== 'blank' }
}

/** A page with nothing on it: what it misses, the machine was busy with something else. */
async function blankPage(browser) {
  const context = await browser.newContext()
  await context.addInitScript(watchFrames)
  const page = await context.newPage()
  await page.goto('data:text/html,<title>blank</title>')
  return page
}

/** One turn of a page: its frames, and how busy its main thread was. */
async function watch({ page, session, view, scrolls }, seconds, way) {
  // Only for its turn: the browser slows a page down by keeping a processor busy, which the others would miss.
  await session.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE })
  // A list that was still meanwhile takes its first prices before it is watched.
  await page.waitForTimeout(SETTLE_MS)
  const before = await metrics(session)
  await page.evaluate(() => window.benchFrames.start())
  if (scrolls) await scroll(session, view, seconds, way)
  else await page.waitForTimeout(seconds * 1_000)
  const frames = await page.evaluate(() => window.benchFrames.stop())
  const after = await metrics(session)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const busy = (after.TaskDuration - before.TaskDuration) / (after.Timestamp - before.Timestamp)
  return { ...frames, busy }
}

async function metrics(session) {
  const { metrics: list } = await session.send('Performance.getMetrics')
  return Object.fromEntries(list.map(({ name, value }) => [name, value]))
}

function report(turns) {
  const detail = {}
  for (const [turn, rounds] of Object.entries(turns)) {
    const late = rounds.flatMap((round) => round.late)
    detail[turn] = {
      seconds: ROUNDS * TURNS[turn],
      frames: sum(rounds.map((round) => round.frames)),
      late: late.length,
      longest: Math.round(Math.max(0, ...late)),
      long_animation_frames: sum(rounds.map((round) => round.long.length)),
      long_tasks: sum(rounds.map((round) => round.tasks.length)),
      busy: Number(median(rounds.map((round) => round.busy)).toFixed(2)),
    }
    const { late: count, frames, seconds, longest, busy } = detail[turn]
    console.log(
      `${turn.padEnd(8)} ${seconds} s: ${frames} frames, ${count} over 50 ms (longest ${longest} ms), main thread busy ${Math.round(busy * 100)} % (median of ${ROUNDS})`,
    )
  }
  const target = { target: 0, better: 'lower', rounds: ROUNDS }
  const what = `frames over 50 ms in 60 s, ${THROTTLE}x throttle, phone`
  return [{ id: 'P18', value: detail.phone.late, ...target, detail: { what, ...detail } }]
}
