import type { DataLoaderGetBarsParams } from 'klinecharts'
import { describe, expect, it, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server'
import { chartData, noData } from './chart-data'

const kline = { time: 60_000, open: '1.1', high: '1.3', low: '1.0', close: '1.2', volume: 7 }
const bar = { timestamp: 60_000, open: 1.1, high: 1.3, low: 1, close: 1.2, volume: 7 }

function ask(callback: DataLoaderGetBarsParams['callback']) {
  return {
    type: 'init',
    symbol: { ticker: 'EURUSD' },
    period: { type: 'minute', span: 1 },
    timestamp: null,
    callback,
  } as DataLoaderGetBarsParams
}

describe('the data of a chart', () => {
  it('brings the bars of its product', async () => {
    const asked = fakeServer({ 'api/findKline': () => answer([kline]) })
    const callback = vi.fn()
    await chartData(1, '1m', vi.fn()).getBars(ask(callback))
    expect(asked[0]?.query.get('productId')).toBe('1')
    expect(callback).toHaveBeenCalledExactlyOnceWith([bar], { backward: false, forward: false })
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

  it('is empty at once between two products', () => {
    const callback = vi.fn()
    noData.getBars(ask(callback))
    expect(callback).toHaveBeenCalledExactlyOnceWith([], false)
  })
})
