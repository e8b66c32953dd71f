import { registerOverlay } from 'klinecharts'

/** A horizontal line with a label: a position's entry, its stop loss or its take profit. */
export type TradeLine = {
  id: string
  price: number
  /** The price as the axis shows it. */
  priceText: string
  text: string
  colour: string
  onColour: string
  dashed: boolean
  family: string
}

export const TRADE_LINE = 'tradeLine'

let registered = false

/** Teaches the chart library the line, once. */
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
          attrs: { x: 10, y, text: line.text, align: 'left', baseline: 'middle' },
          styles: labelStyle(line),
          ignoreEvent: true,
        },
      ]
    },
    createYAxisFigures: ({ coordinates, overlay }) => {
      const y = coordinates[0]?.y
      const line = overlay.extendData
      if (y === undefined || !line) return []
      return {
        type: 'text',
        attrs: { x: 0, y, text: line.priceText, align: 'left', baseline: 'middle' },
        styles: { ...labelStyle(line), borderRadius: 3, paddingLeft: 4, paddingRight: 4 },
        ignoreEvent: true,
      }
    },
  })
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
