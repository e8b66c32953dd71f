import { type Chart, registerOverlay } from 'klinecharts'
import { candleLength, candleStart, type PeriodCode } from './periods'

/** Where a trade was opened or closed: a point with a label, at a moment and a price. */
export type TradeMark = {
  id: string
  /** Market time, ms. */
  at: number
  price: number
  text: string
  /** A closing mark has its label behind the point, an opening one before it. */
  closes: boolean
  colour: string
  onColour: string
  family: string
}

export const TRADE_MARK = 'tradeMark'

const RADIUS = 5
const GAP = 10
/** The room at both sides of the marks, in bars. */
const ROOM = 15
/** A bar is between these widths, px. */
const THINNEST = 2
const WIDEST = 14

let registered = false

/** Registers the mark with the chart library, once. */
export function registerTradeMark(): void {
  if (registered) return
  registered = true
  registerOverlay<TradeMark>({
    name: TRADE_MARK,
    totalStep: 2,
    lock: true,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ coordinates, overlay }) => {
      const at = coordinates[0]
      const mark = overlay.extendData
      if (!at || !mark) return []
      return [
        {
          type: 'circle',
          attrs: { ...at, r: RADIUS },
          styles: {
            style: 'stroke_fill',
            color: mark.colour,
            borderColor: mark.onColour,
            borderSize: 2,
          },
          ignoreEvent: true,
        },
        {
          type: 'text',
          attrs: {
            x: at.x + (mark.closes ? GAP : -GAP),
            y: at.y,
            text: mark.text,
            align: mark.closes ? 'left' : 'right',
            baseline: 'middle',
          },
          styles: {
            style: 'fill',
            size: 11,
            weight: 600,
            family: mark.family,
            color: mark.onColour,
            backgroundColor: mark.colour,
            borderRadius: 3,
            paddingLeft: 5,
            paddingRight: 5,
            paddingTop: 3,
            paddingBottom: 3,
          },
          ignoreEvent: true,
        },
      ]
    },
  })
}

/** Draws the marks on the candles of a period, instead of those that were there. */
export function drawMarks(chart: Chart, marks: readonly TradeMark[], period: PeriodCode): void {
  chart.removeOverlay({ name: TRADE_MARK })
  for (const mark of marks) {
    chart.createOverlay({
      name: TRADE_MARK,
      id: mark.id,
      lock: true,
      extendData: mark,
      points: [{ timestamp: candleStart(mark.at, period), value: mark.price }],
      onRightClick: (event) => event.preventDefault?.(),
    })
  }
}

/** Scrolls and scales the loaded candles so that every mark is visible, if they reach back to the first. */
export function showMarks(chart: Chart, marks: readonly TradeMark[], period: PeriodCode): void {
  const times = marks.map(({ at }) => at)
  if (times.length === 0) return
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const oldest = chart.getDataList()[0]?.timestamp ?? Number.POSITIVE_INFINITY
  if (candleStart(first, period) < oldest) return
  const length = candleLength(period)
  const width = chart.getSize('candle_pane', 'main')?.width ?? 0
  const space = width / ((last - first) / length + 2 * ROOM)
  chart.setBarSpace(Math.min(WIDEST, Math.max(THINNEST, space)))
  chart.scrollToTimestamp(last + ROOM * length)
}
