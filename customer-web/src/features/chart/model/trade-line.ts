import { registerOverlay } from 'klinecharts'
import { formatPrice } from '@/format/price'

/** A horizontal line with a label: a position's entry, stop loss, take profit or trailing stop, or a pending order. */
export type TradeLine = {
  id: string
  price: number
  /** Decimals of the price. */
  point: number
  text: string
  /** What dragging the line changes; without it the line is fixed. */
  moves?: LineMove | undefined
  colour: string
  onColour: string
  dashed: boolean
  family: string
}

/** The price that a line represents. */
export type LineMove =
  | { of: 'position'; id: number; price: 'stopLoss' | 'takeProfit' }
  | { of: 'order'; id: number; price: 'price' | 'limitPrice' }

/** The line's price as a plain decimal. */
export function priceOfLine(value: number, point: number): string {
  return value.toFixed(point)
}

/** How close a pointer must be to grab the line, and a finger to grab its label. */
const LINE_PX = 10
const LABEL_PX = 44
const LABEL_WIDTH_PX = 120

export const TRADE_LINE = 'tradeLine'

let registered = false

/** Registers the line with the chart library, once. */
export function registerTradeLine(): void {
  if (registered) return
  registered = true
  registerOverlay<TradeLine>({
    name: TRADE_LINE,
    totalStep: 2,
    lock: true,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ coordinates, bounding, overlay }) => {
      const y = coordinates[0]?.y
      const line = overlay.extendData
      if (y === undefined || !line) return []
      return [
        {
          type: 'line',
          attrs: {
            coordinates: [
              { x: 0, y },
              { x: bounding.width, y },
            ],
          },
          styles: {
            color: line.colour,
            size: 1,
            style: line.dashed ? 'dashed' : 'solid',
            dashedValue: [5, 4],
          },
          ignoreEvent: true,
        },
        {
          type: 'text',
          attrs: {
            ...{ x: 10, y, align: 'left', baseline: 'middle' },
            text: line.moves ? `\u2195 ${line.text}` : line.text,
          },
          styles: labelStyle(line),
          ignoreEvent: true,
        },
        ...(line.moves
          ? [grip(y, LINE_PX, bounding.width), grip(y, LABEL_PX, LABEL_WIDTH_PX)]
          : []),
      ]
    },
    createYAxisFigures: ({ coordinates, overlay }) => {
      const y = coordinates[0]?.y
      const line = overlay.extendData
      if (y === undefined || !line) return []
      const text = formatPrice(
        priceOfLine(overlay.points[0]?.value ?? line.price, line.point),
        line.point,
      )
      return {
        type: 'text',
        attrs: { x: 0, y, text, align: 'left', baseline: 'middle' },
        styles: { ...labelStyle(line), borderRadius: 3, paddingLeft: 4, paddingRight: 4 },
        ignoreEvent: true,
      }
    },
  })
}

/** An invisible area around a line that grabs the pointer. */
function grip(y: number, height: number, width: number) {
  return {
    type: 'rect',
    attrs: { x: 0, y: y - height / 2, width, height },
    styles: { style: 'fill', color: 'transparent', borderSize: 0 },
  }
}

function labelStyle(line: TradeLine) {
  return {
    style: 'fill',
    size: 11,
    weight: 600,
    family: line.family,
    color: line.onColour,
    backgroundColor: line.colour,
    borderRadius: 10,
    paddingLeft: 8,
    paddingRight: 8,
    paddingTop: 4,
    paddingBottom: 4,
  }
}
