import { describe, expect, test } from 'vitest'
import {
  andrewsPitchfork,
  flatTopBottom,
  regressionOf,
  regressionTrend,
  schiffPitchfork,
} from './channels'
import {
  fibChannel,
  fibonacciCircle,
  fibonacciExtension,
  fibonacciLine,
  fibonacciSegment,
  fibonacciSpeedResistanceFan,
  fibonacciSpiral,
  fibTimeZone,
} from './fibonacci'
import { gannBox, gannFan } from './gann'
import { angleOf, arrow, arrowHead, crossLine, infoLine } from './lines'
import {
  abcd,
  anyWaves,
  eightWaves,
  fiveWaves,
  headAndShoulders,
  meeting,
  threeWaves,
  xabcd,
} from './patterns'
import { rayEnd } from './plane'
import { circle, parallelogram, rectangle, triangle } from './shapes'
import type { Frame, Sketch, Spot, Words } from './sketch'
import { longPosition, measure, rewardToRisk, shortPosition } from './trade'

const words: Words = {
  price: (price) => price.toFixed(2),
  change: (from, to) => `${(to - from).toFixed(2)} (${((to / from - 1) * 100).toFixed(2)}%)`,
  ratio: (ratio) => ratio.toFixed(3),
  candles: (count) => `${count} candles`,
  duration: (ms) => `${ms / 60_000} min`,
  angle: (degrees) => `${degrees.toFixed(1)}°`,
}

/** A pane of 1,000 × 500 px: ten pixels for a candle of a minute, and prices from 100 at the bottom to 150 at the top. */
const yOf = (price: number) => (150 - price) * 10
const CLOSES = [110, 112, 111, 115, 117, 116, 120, 121]

/** Anchors as candle and price. */
function frame(...anchors: [number, number][]): Frame {
  return {
    anchors: anchors.map(([index, price]) => ({ at: index * 60_000, index, price })),
    spots: anchors.map(([index, price]) => ({ x: index * 10, y: yOf(price) })),
    width: 1000,
    height: 500,
    words,
    yOf,
    closes: (from, to) =>
      CLOSES.map((close, index) => ({ x: index * 10, close })).slice(Math.max(0, from), to + 1),
  }
}

const texts = ({ labels = [] }: Sketch) => labels.map(({ text }) => text)
const line = (sketch: Sketch, at: number): Spot[] => sketch.lines?.[at]?.spots ?? []
const spot = (x: number, y: number): Spot => ({ x, y })

describe('the plane', () => {
  test('a ray ends at the edge that it reaches first', () => {
    expect(rayEnd(spot(100, 100), spot(200, 150), 1000, 500)).toEqual(spot(900, 500))
    expect(rayEnd(spot(100, 100), spot(50, 100), 1000, 500)).toEqual(spot(0, 100))
    expect(rayEnd(spot(100, 100), spot(100, 40), 1000, 500)).toEqual(spot(100, 0))
  })
  test('one without a direction, or that leads out, ends where it was drawn to', () => {
    expect(rayEnd(spot(5, 5), spot(5, 5), 1000, 500)).toEqual(spot(5, 5))
    expect(rayEnd(spot(990, 100), spot(1200, 100), 1000, 500)).toEqual(spot(1200, 100))
  })
  test('two lines meet on the leg, or not at all', () => {
    expect(meeting(spot(0, 0), spot(10, 10), spot(0, 5), spot(10, 5))).toEqual(spot(5, 5))
    expect(meeting(spot(0, 0), spot(10, 4), spot(0, 5), spot(10, 5))).toBeNull()
    expect(meeting(spot(0, 0), spot(10, 0), spot(0, 5), spot(10, 5))).toBeNull()
  })
})

describe('lines', () => {
  test('an arrow has its head at its end, and a short one a small head', () => {
    expect(arrowHead(spot(0, 0), spot(100, 0))).toEqual([spot(100, 0), spot(86, -5), spot(86, 5)])
    expect(arrowHead(spot(0, 0), spot(21, 0))[1]).toEqual(spot(14, -2.5))
    expect(arrowHead(spot(3, 3), spot(3, 3))).toEqual([])
    expect(arrow(frame([1, 110], [20, 120])).areas?.[0]?.spots[0]).toEqual(spot(200, 300))
  })
  test('a cross reaches through the pane', () => {
    const sketch = crossLine(frame([30, 120]))
    expect(line(sketch, 0)).toEqual([spot(0, 300), spot(1000, 300)])
    expect(line(sketch, 1)).toEqual([spot(300, 0), spot(300, 500)])
  })
  test('an info line tells change, candles and angle', () => {
    expect(texts(infoLine(frame([10, 110], [30, 130])))).toEqual([
      '20.00 (18.18%) · 20 candles · 45.0°',
    ])
    expect(angleOf(spot(0, 0), spot(10, 10))).toBeCloseTo(-45)
    expect(angleOf(spot(0, 0), spot(-10, 0))).toBeCloseTo(180)
  })
})

describe('channels', () => {
  test('a flat one lies at the third price, under the slope', () => {
    const sketch = flatTopBottom(frame([10, 120], [40, 140], [25, 110]))
    expect(line(sketch, 1)).toEqual([spot(100, 400), spot(400, 400)])
    expect(sketch.areas?.[0]?.spots).toHaveLength(4)
  })
  test('a regression has the least squares', () => {
    // By hand: closes 1, 2, 2, 3 have slope 0.6 and mean 2; the squares that are left add up to 0.2.
    const fit = regressionOf([1, 2, 2, 3])
    expect(fit?.first).toBeCloseTo(1.1, 12)
    expect(fit?.last).toBeCloseTo(2.9, 12)
    expect(fit?.deviation).toBeCloseTo(Math.sqrt(0.2 / 4), 12)
    expect(fit?.correlation).toBeCloseTo(0.6 * Math.sqrt(5 / 2), 12)
  })
  test('closes on a line have no deviation, equal ones no correlation, and one no line', () => {
    expect(regressionOf([4, 3, 2])).toMatchObject({ first: 4, last: 2, correlation: -1 })
    expect(regressionOf([4, 3, 2])?.deviation).toBeCloseTo(0, 7)
    expect(regressionOf([5, 5, 5])).toEqual({ first: 5, last: 5, deviation: 0, correlation: 0 })
    expect(regressionOf([5])).toBeNull()
  })
  test('a regression trend lies two deviations around its line, whichever anchor was placed first', () => {
    const sketch = regressionTrend(frame([0, 100], [7, 100]))
    const fit = regressionOf(CLOSES)
    expect(line(sketch, 1)).toEqual([spot(0, yOf(fit?.first ?? 0)), spot(70, yOf(fit?.last ?? 0))])
    const half = (line(sketch, 2)[0]?.y ?? 0) - (line(sketch, 1)[0]?.y ?? 0)
    expect(half).toBeCloseTo(2 * (fit?.deviation ?? 0) * 10, 9)
    expect(regressionTrend(frame([7, 100], [0, 100]))).toEqual(sketch)
    expect(regressionTrend(frame([50, 100], [60, 100]))).toEqual({})
  })
  test('a pitchfork goes through the middle, and its prongs are parallel', () => {
    const sketch = andrewsPitchfork(frame([10, 120], [20, 130], [20, 110]))
    expect(line(sketch, 0)).toEqual([spot(100, 300), spot(200, 300), spot(1000, 300)])
    expect(line(sketch, 1)).toEqual([spot(200, 200), spot(1000, 200)])
    expect(line(sketch, 3)).toEqual([spot(200, 200), spot(200, 400)])
  })
  test("Schiff's handle lies halfway to the second price", () => {
    const sketch = schiffPitchfork(frame([10, 120], [20, 130], [20, 110]))
    expect(line(sketch, 0)[0]).toEqual(spot(100, 250))
    expect(line(sketch, 4)).toEqual([spot(100, 300), spot(100, 250)])
  })
})

describe('Fibonacci', () => {
  test('a retracement gives back a move, from its end', () => {
    const sketch = fibonacciSegment(frame([10, 110], [30, 130]))
    expect(texts(sketch)).toEqual([
      '0.000 (130.00)',
      '0.236 (125.28)',
      '0.382 (122.36)',
      '0.500 (120.00)',
      '0.618 (117.64)',
      '0.786 (114.28)',
      '1.000 (110.00)',
    ])
    expect(line(sketch, 3)).toEqual([spot(100, 300), spot(300, 300)])
    expect(line(fibonacciLine(frame([10, 110], [30, 130])), 3)).toEqual([
      spot(0, 300),
      spot(1000, 300),
    ])
  })
  test('an extension begins at the third anchor', () => {
    const sketch = fibonacciExtension(frame([10, 110], [20, 120], [30, 115]))
    expect(texts(sketch).slice(-4)).toEqual([
      '1.000 (125.00)',
      '1.272 (127.72)',
      '1.618 (131.18)',
      '2.618 (141.18)',
    ])
    expect(line(sketch, 0)).toEqual([spot(100, 350), spot(300, 350)])
  })
  test('circles have the levels of the distance', () => {
    const sketch = fibonacciCircle(frame([10, 120], [40, 116]))
    expect(sketch.circles?.map(({ radius }) => Math.round(radius * 1000) / 1000)).toEqual(
      [0.236, 0.382, 0.5, 0.618, 0.786, 1].map(
        (part) => Math.round(part * Math.hypot(300, 40) * 1000) / 1000,
      ),
    )
  })
  test('a spiral goes through its second anchor, and grows by the golden ratio with a quarter turn', () => {
    const [spiral = []] = [line(fibonacciSpiral(frame([50, 125], [60, 125])), 0)]
    const radius = spiral.map(({ x, y }) => Math.hypot(x - 500, y - 250))
    expect(spiral[96]?.x).toBeCloseTo(600, 9)
    expect(spiral[96]?.y).toBeCloseTo(250, 9)
    expect((radius[108] ?? 0) / (radius[96] ?? 1)).toBeCloseTo(1.6180339887, 9)
    expect(spiral[108]?.y).toBeCloseTo(250 + 161.80339887, 6)
  })
  test('a fan goes through the levels of price and time', () => {
    const sketch = fibonacciSpeedResistanceFan(frame([0, 100], [50, 125]))
    // From the bottom left through 0.5 of the price: it rises by a quarter of what it goes to the right.
    expect(line(sketch, 2)).toEqual([spot(0, 500), spot(1000, 250)])
    expect(line(sketch, 5)).toEqual([spot(0, 500), spot(1000, 0)])
    expect(texts(sketch).filter((text) => text === '0.618')).toHaveLength(2)
  })
  test('time zones stand at the numbers of candles', () => {
    const sketch = fibTimeZone(frame([10, 110], [12, 120]))
    expect(sketch.lines?.map(({ spots }) => spots[0]?.x).slice(0, 6)).toEqual([
      100, 120, 140, 160, 200, 260,
    ])
    expect(texts(sketch).slice(0, 6)).toEqual(['0', '1', '2', '3', '5', '8'])
  })
  test('a channel has parallels at the levels of its height', () => {
    const sketch = fibChannel(frame([10, 110], [30, 120], [20, 125]))
    expect(line(sketch, 0)).toEqual([spot(100, 400), spot(300, 300)])
    expect(line(sketch, 3)).toEqual([spot(100, 350), spot(300, 250)])
    expect(line(sketch, 6)).toEqual([spot(100, 300), spot(300, 200)])
  })
})

describe('Gann', () => {
  test('a box has its levels, whichever corners were placed', () => {
    const sketch = gannBox(frame([10, 110], [30, 130]))
    expect(line(sketch, 0)).toEqual([
      spot(100, 200),
      spot(300, 200),
      spot(300, 400),
      spot(100, 400),
      spot(100, 200),
    ])
    expect(line(sketch, 5)).toEqual([spot(100, 300), spot(300, 300)])
    expect(line(sketch, 6)).toEqual([spot(200, 400), spot(200, 200)])
    expect(line(gannBox(frame([30, 130], [10, 110])), 0)).toEqual(line(sketch, 0))
  })
  test('the rays of a fan are as many times as steep', () => {
    const sketch = gannFan(frame([0, 100], [25, 112.5]))
    const slopes = sketch.lines?.map(
      ({ spots: [a, b] }) => ((a?.y ?? 0) - (b?.y ?? 0)) / ((b?.x ?? 1) - (a?.x ?? 0)),
    )
    const base = 125 / 250
    const wanted = [1 / 8, 1 / 4, 1 / 3, 1 / 2, 1, 2, 3, 4, 8]
    for (const [at, times] of wanted.entries()) expect(slopes?.[at]).toBeCloseTo(base * times, 9)
    expect(texts(sketch)).toEqual(['1/8', '1/4', '1/3', '1/2', '1/1', '2/1', '3/1', '4/1', '8/1'])
  })
})

describe('shapes', () => {
  test('each is closed', () => {
    expect(line(rectangle(frame([30, 110], [10, 130])), 0)).toHaveLength(5)
    expect(line(triangle(frame([10, 110], [20, 130], [30, 110])), 0)).toHaveLength(4)
  })
  test('the fourth corner of a parallelogram lies opposite the second', () => {
    const [, , , fourth] = line(parallelogram(frame([10, 110], [20, 130], [40, 130])), 0)
    expect(fourth).toEqual(spot(300, 400))
  })
  test('a circle goes through its second anchor', () => {
    expect(circle(frame([10, 120], [13, 116])).circles).toEqual([
      { centre: spot(100, 300), radius: 50 },
    ])
  })
})

describe('patterns and waves', () => {
  test('ABCD compares its moves', () => {
    const sketch = abcd(frame([0, 100], [10, 120], [20, 110], [30, 130]))
    expect(texts(sketch)).toEqual(['A', 'B', 'C', 'D', '0.500', '2.000'])
    expect(sketch.labels?.slice(0, 4).map(({ side }) => side)).toEqual([
      'below',
      'above',
      'below',
      'above',
    ])
  })
  test('a move without a height is compared with nothing', () => {
    expect(texts(abcd(frame([0, 100], [10, 100], [20, 110], [30, 130])))).toEqual([
      'A',
      'B',
      'C',
      'D',
      '2.000',
    ])
  })
  test('XABCD has the four ratios of harmonic patterns', () => {
    // A Gartley: B at 0.618 of XA, D at 0.786.
    const sketch = xabcd(frame([0, 100], [10, 120], [20, 107.64], [30, 115], [40, 104.28]))
    expect(texts(sketch).slice(5)).toEqual(['0.618', '0.595', '1.457', '0.786'])
  })
  test('a neckline reaches from the first leg to the last', () => {
    const sketch = headAndShoulders(
      frame([0, 100], [10, 120], [20, 110], [30, 130], [40, 110], [50, 120], [60, 100]),
    )
    expect(line(sketch, 1)).toEqual([spot(50, 400), spot(550, 400)])
    expect(texts(sketch)).toEqual(['L', 'H', 'R'])
  })
  test('waves carry their names', () => {
    const up: [number, number][] = [
      [0, 100],
      [1, 110],
      [2, 105],
      [3, 120],
      [4, 112],
      [5, 130],
      [6, 118],
      [7, 124],
      [8, 110],
    ]
    expect(texts(threeWaves(frame(...up.slice(0, 4))))).toEqual(['0', 'A', 'B', 'C'])
    expect(texts(fiveWaves(frame(...up.slice(0, 6))))).toEqual(['0', '1', '2', '3', '4', '5'])
    expect(texts(eightWaves(frame(...up)))).toEqual(['0', '1', '2', '3', '4', '5', 'A', 'B', 'C'])
    expect(texts(anyWaves(frame(...up.slice(0, 3))))).toEqual(['0', '1', '2'])
  })
})

describe('trade', () => {
  test('a position tells what it may win and lose', () => {
    const sketch = longPosition(frame([10, 120], [30, 130], [30, 115]))
    expect(texts(sketch)).toEqual(['10.00 (8.33%)', '-5.00 (-4.17%)', '1 : 2.000'])
    expect(sketch.areas?.map(({ tone }) => tone)).toEqual(['profit', 'loss'])
    expect(sketch.areas?.[0]?.spots).toEqual([
      spot(100, 200),
      spot(300, 200),
      spot(300, 300),
      spot(100, 300),
    ])
  })
  test('the same prices are the opposite for a sell', () => {
    const sketch = shortPosition(frame([10, 120], [30, 130], [30, 115]))
    expect(sketch.areas?.map(({ tone }) => tone)).toEqual(['loss', 'profit'])
  })
  test('without a risk there is no ratio', () => {
    expect(rewardToRisk(120, 130, 120)).toBeNull()
    expect(texts(longPosition(frame([10, 120], [30, 130], [30, 120])))).toHaveLength(2)
  })
  test('a measure tells price, candles and time', () => {
    expect(texts(measure(frame([10, 120], [40, 114])))).toEqual([
      '-6.00 (-5.00%) · 30 candles · 30 min',
    ])
  })
})

test('without its anchors a drawing is nothing yet', () => {
  const all = [
    arrow,
    crossLine,
    infoLine,
    flatTopBottom,
    regressionTrend,
    andrewsPitchfork,
    schiffPitchfork,
  ]
  const more = [
    fibonacciLine,
    fibonacciSegment,
    fibonacciExtension,
    fibonacciCircle,
    fibonacciSpiral,
    fibTimeZone,
    fibChannel,
  ]
  const rest = [
    fibonacciSpeedResistanceFan,
    gannBox,
    gannFan,
    rectangle,
    circle,
    triangle,
    parallelogram,
  ]
  const last = [abcd, xabcd, headAndShoulders, longPosition, shortPosition, measure]
  for (const sketch of [...all, ...more, ...rest, ...last]) expect(sketch(frame())).toEqual({})
})
