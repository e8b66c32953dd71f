import { act } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { setPreferences } from '@/theme/preferences'
import { LineChart } from './line-chart'
import { partOf, placePoints } from './line-chart-drawing'

type Stroke = { style: unknown; width: number; points: number }

let strokes: Stroke[] = []
let frames: FrameRequestCallback[] = []

function fakeContext(canvas: HTMLCanvasElement) {
  let points = 0
  return {
    canvas,
    strokeStyle: '' as unknown,
    lineWidth: 0,
    clearRect() {},
    setLineDash() {},
    beginPath() {
      points = 0
    },
    moveTo() {},
    lineTo() {
      points += 1
    },
    closePath() {},
    fill() {},
    stroke() {
      strokes.push({ style: this.strokeStyle, width: this.lineWidth, points })
    },
  }
}

beforeEach(() => {
  strokes = []
  frames = []
  setPreferences({ reduceMotion: false })
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (
    this: HTMLCanvasElement,
  ) {
    return fakeContext(this) as unknown as CanvasRenderingContext2D
  } as unknown as HTMLCanvasElement['getContext'])
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  vi.stubGlobal('cancelAnimationFrame', () => {})
  const variables: Record<string, string> = { '--up': 'green', '--down': 'red' }
  vi.spyOn(window, 'getComputedStyle').mockReturnValue({
    getPropertyValue: (name: string) => variables[name] ?? 'grey',
  } as CSSStyleDeclaration)
})

const lastLine = () => strokes.at(-1)

describe('LineChart', () => {
  test.each([
    [0, 'green'],
    [1.2, 'green'],
    [-0.01, 'red'],
  ])('rate %d is drawn in %s', async (rate, color) => {
    setPreferences({ reduceMotion: true })
    await renderPart(<LineChart rate={rate} data={[1, 2, 3]} />)
    expect(lastLine()).toEqual({ style: color, width: 8, points: 3 })
  })

  test('takes colours and widths of its own', async () => {
    setPreferences({ reduceMotion: true })
    await renderPart(<LineChart rate={1} lineUpColor="#123456" lineWidth={12} data={[1, 2]} />)
    expect(lastLine()).toMatchObject({ style: '#123456', width: 12 })
  })

  test('one pixel is one pixel', async () => {
    setPreferences({ reduceMotion: true })
    await renderPart(<LineChart rate={1} onePixel lineWidth={12} data={[1, 2]} />)
    expect(lastLine()?.width).toBe(4)
  })

  test('is drawn progressively', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
    await renderPart(<LineChart rate={1} data={[1, 2, 3, 4, 5]} />)
    expect(strokes).toEqual([])
    now.mockReturnValue(1300)
    act(() => frames.at(-1)?.(0))
    expect(lastLine()?.points).toBe(4)
    now.mockReturnValue(1600)
    act(() => frames.at(-1)?.(0))
    expect(lastLine()?.points).toBe(5)
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

test('a part of the line ends where it belongs', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 10 },
    { x: 20, y: 0 },
  ]
  expect(partOf(points, 0.25)).toEqual([
    { x: 0, y: 0 },
    { x: 5, y: 5 },
  ])
  expect(partOf(points, 1)).toEqual(points)
})
