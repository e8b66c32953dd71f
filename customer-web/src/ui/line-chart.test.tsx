import { beforeEach, describe, expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { setPreferences } from '@/theme/preferences'
import { LineChart, type LineChartProps } from './line-chart'
import { areaPath, linePath, placePoints } from './line-chart-drawing'

const animate = vi.fn()

beforeEach(() => {
  animate.mockClear()
  Element.prototype.animate = animate as unknown as Element['animate']
  setPreferences({ reduceMotion: false })
  return () => Reflect.deleteProperty(Element.prototype, 'animate')
})

/** The paths of a chart: where it started, the area below the line, the line. */
async function draw(props: LineChartProps) {
  const { container } = await renderPart(<LineChart {...props} />)
  const [base, area, line] = container.querySelectorAll('path')
  return { base, area, line }
}

describe('LineChart', () => {
  test.each([
    [0, 'var(--up)', 'var(--up-soft)'],
    [1.2, 'var(--up)', 'var(--up-soft)'],
    [-0.01, 'var(--down)', 'var(--down-soft)'],
  ])('rate %d is drawn in %s above %s', async (rate, color, ground) => {
    const { area, line } = await draw({ rate, data: [1, 2, 3] })
    expect(line?.style.stroke).toBe(color)
    expect(line?.style.strokeWidth).toBe('8')
    expect(area?.style.fill).toBe(ground)
    expect(line?.getAttribute('d')?.match(/[\d.]+ [\d.]+/g)).toHaveLength(3)
  })

  test('takes colours and widths of its own', async () => {
    const { line } = await draw({ rate: 1, lineUpColor: 'red', lineWidth: 12, data: [1, 2] })
    expect(line?.style.stroke).toBe('red')
    expect(line?.style.strokeWidth).toBe('12')
  })

  test('one pixel is four quarters, whatever lineWidth says', async () => {
    const { line } = await draw({ rate: 1, onePixel: true, lineWidth: 12, data: [1, 2] })
    expect(line?.style.strokeWidth).toBe('4')
  })

  test('is empty without data', async () => {
    const { base } = await draw({ rate: 1, data: [] })
    expect(base).toBeUndefined()
    expect(animate).not.toHaveBeenCalled()
  })
})

describe('drawing', () => {
  const chart = { rate: 1, data: [1, 2, 3, 4, 5] }

  test('goes on from the beginning of the line, once', async () => {
    await draw(chart)
    expect(animate.mock.calls.map(([frames]) => frames)).toEqual([
      { strokeDasharray: ['1', '1'], strokeDashoffset: [1, 0] },
      { fillOpacity: [0, 1] },
    ])
    expect(animate.mock.contexts.map((path) => (path as Element).tagName)).toEqual(['path', 'path'])
  })

  test('is not for who wants less motion, nor for a still chart', async () => {
    await draw({ ...chart, still: true })
    setPreferences({ reduceMotion: true })
    await draw(chart)
    expect(animate).not.toHaveBeenCalled()
  })
})

describe('placePoints', () => {
  test('puts the highest on top and the newest at the right', () => {
    expect(placePoints([1, 3], 100, 50, 0)).toEqual([
      { x: 0, y: 50 },
      { x: 100, y: 0 },
    ])
  })

  test('survives flat, single, empty and broken data', () => {
    expect(placePoints([2, 2], 100, 50, 0).map(({ y }) => y)).toEqual([25, 25])
    expect(placePoints([2], 100, 50, 0)).toHaveLength(1)
    expect(placePoints([], 100, 50, 0)).toEqual([])
    expect(placePoints([Number.NaN, 1, Number.POSITIVE_INFINITY, 2], 100, 50, 0)).toHaveLength(2)
  })
})

describe('paths', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 10.04 },
    { x: 20, y: 0 },
  ]

  test('a line goes through all points, its ground reaches down to the edge', () => {
    expect(linePath(points)).toBe('M0.0 0.0L10.0 10.0L20.0 0.0')
    expect(areaPath(points, 30)).toBe('M0.0 0.0L10.0 10.0L20.0 0.0V30H0.0Z')
  })

  test('without points there is nothing to draw', () => {
    expect(linePath([])).toBe('')
    expect(areaPath([], 30)).toBe('')
  })
})
