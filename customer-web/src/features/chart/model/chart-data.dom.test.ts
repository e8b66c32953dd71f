import type { DataLoaderGetBarsParams } from 'klinecharts'
import { describe, expect, it, vi } from 'vitest'
import { quoteStore } from '@/live/quote-store'
import { answer, fakeServer, refusal } from '@/testing/fake-server'
import { chartData, emptyLoader } from './chart-data'

const kline = { time: 60_000, open: '1.1', high: '1.3', low: '1.0', close: '1.2', volume: 7 }
const bar = { timestamp: 60_000, open: 1.1, high: 1.3, low: 1, close: 1.2, volume: 7 }

function ask(callback: DataLoaderGetBarsParams['callback'], older: number | null = null) {
  return {
    type: older === null ? 'init' : 'forward',
    symbol: { ticker: 'EURUSD' },
    period: { type: 'minute', span: 1 },
    timestamp: older,
    callback,
  } as DataLoaderGetBarsParams
}

/** A server with this many minutes of candles that answers as the call does. */
function minutes(count: number) {
  const all = Array.from({ length: count }, (_, i) => ({ ...kline, time: i * 60_000 }))
  return fakeServer({
    'api/findKline': ({ query }) => {
      const end = Number(query.get('endTime') ?? Number.POSITIVE_INFINITY)
      return answer(all.filter(({ time }) => time < end).slice(-Number(query.get('size'))))
    },
  })
}

/** Scrolls back like the chart until there is nothing more. */
async function scrollBack() {
  const data = chartData(1, '1m', vi.fn())
  const times: number[] = []
  let more: boolean | { forward?: boolean } | undefined = { forward: true }
  while (typeof more === 'object' && more.forward) {
    await data.getBars(
      ask((bars, next) => {
        times.unshift(...bars.map(({ timestamp }) => timestamp))
        more = next
      }, times[0] ?? null),
    )
  }
  return times
}

describe('the data of a chart', () => {
  it('brings the bars of its product', async () => {
    const asked = fakeServer({ 'api/findKline': () => answer([kline]) })
    const callback = vi.fn()
    await chartData(1, '1m', vi.fn()).getBars(ask(callback))
    expect(asked[0]?.query.get('productId')).toBe('1')
    expect(callback).toHaveBeenCalledExactlyOnceWith([bar], { backward: false, forward: false })
  })

  it.each([0, 1, 499, 500, 501, 1000, 1733])('pages back to the first of %i', async (count) => {
    const asked = minutes(count)
    expect(await scrollBack()).toEqual(Array.from({ length: count }, (_, i) => i * 60_000))
    expect(asked).toHaveLength(Math.floor(count / 500) + 1)
  })

  it('reaches back to a moment with its first bars, and then says that they are there', async () => {
    const asked = minutes(1_733)
    const [callback, onFirst] = [vi.fn(), vi.fn()]
    const since = 300 * 60_000
    await chartData(1, '1m', vi.fn(), { since, onFirst }).getBars(ask(callback))
    expect(asked).toHaveLength(3)
    const [bars, more] = callback.mock.calls[0] ?? []
    expect(bars.map(({ timestamp }: { timestamp: number }) => timestamp)).toEqual(
      Array.from({ length: 1_500 }, (_, i) => (i + 233) * 60_000),
    )
    expect(more).toEqual({ backward: false, forward: true })
    expect(onFirst).toHaveBeenCalledOnce()
    expect(callback.mock.invocationCallOrder[0]).toBeLessThan(
      onFirst.mock.invocationCallOrder[0] ?? 0,
    )
  })

  it('stops at the first bar, and at the chart’s reach', async () => {
    const callback = vi.fn()
    const short = minutes(700)
    await chartData(1, '1m', vi.fn(), { since: -1 }).getBars(ask(callback))
    expect(short).toHaveLength(2)
    expect(callback.mock.calls[0]?.[1]).toEqual({ backward: false, forward: false })
    const long = minutes(9_000)
    await chartData(1, '1m', vi.fn(), { since: 4_001 * 60_000 }).getBars(ask(callback))
    expect(long).toHaveLength(10)
    expect(callback.mock.calls[1]?.[0]).toHaveLength(5_000)
    await chartData(1, '1m', vi.fn(), { since: 0 }).getBars(ask(callback))
    expect(long).toHaveLength(11) // far beyond the reach: only the newest page
  })

  it('says that a page could not be loaded, and loads it when it is asked again', async () => {
    const [callback, failed] = [vi.fn(), vi.fn()]
    const data = chartData(1, '1m', failed)
    fakeServer({ 'api/findKline': () => refusal('unavailable', { httpStatus: 503 }) })
    await data.getBars(ask(callback, 120_000))
    expect(failed).toHaveBeenCalledOnce()
    expect(callback).toHaveBeenLastCalledWith([], false)
    const asked = fakeServer({ 'api/findKline': () => answer([kline]) })
    await data.getBars(ask(callback, 120_000))
    expect(asked[0]?.query.get('endTime')).toBe('120000')
    expect(callback).toHaveBeenLastCalledWith([bar], { backward: false, forward: false })
  })

  it('drops an answer that comes after its end, whether bars or an error', async () => {
    fakeServer({ 'api/findKline': () => answer([kline]) })
    const [callback, failed] = [vi.fn(), vi.fn()]
    const data = chartData(1, '1m', failed)
    const loading = data.getBars(ask(callback))
    data.close()
    await loading
    fakeServer({})
    const failing = chartData(1, '1m', failed)
    const broken = failing.getBars(ask(callback))
    failing.close()
    await broken
    expect(callback).not.toHaveBeenCalled()
    expect(failed).not.toHaveBeenCalled()
  })

  it('counts a price once, however often its line comes', () => {
    vi.useFakeTimers()
    const data = chartData(77, '1m', vi.fn())
    const callback = vi.fn()
    data.subscribeBar?.({
      symbol: { ticker: 'X', pricePrecision: 2, volumePrecision: 0 },
      period: { type: 'minute', span: 1 },
      callback,
    })
    const line = {
      productId: 77,
      bid: '2',
      ask: '3',
      spread: '1',
      sequence: 5,
      time: 60_000,
      seenAt: 0,
    }
    for (const halted of [false, true, false]) {
      quoteStore.put({ ...line, halted })
      vi.runAllTimers()
    }
    quoteStore.put({ ...line, bid: '4', sequence: 6 })
    vi.runAllTimers()
    vi.useRealTimers()
    data.close()
    expect(callback.mock.calls.map(([{ close, volume }]) => [close, volume])).toEqual([
      [2, 1],
      [4, 2],
    ])
  })

  it('is empty at once between two products', () => {
    const callback = vi.fn()
    emptyLoader.getBars(ask(callback))
    expect(callback).toHaveBeenCalledExactlyOnceWith([], false)
  })
})
