import type { DeepPartial, Styles } from 'klinecharts'

/** Reads tokens at the chart's element, so that it follows theme and price colours. */
function tokenReader(element: Element): (name: string) => string {
  const computed = getComputedStyle(element)
  return (name) => computed.getPropertyValue(name).trim()
}

/** The chart's styles from the app's tokens. */
export function chartStyles(element: Element): DeepPartial<Styles> {
  const token = tokenReader(element)
  const up = token('--up')
  const down = token('--down')
  const axis = token('--chart-axis')
  const family = token('--font-ui')
  const tick = { color: axis, size: 11, family }
  const line = { color: token('--border') }
  const cross = token('--chart-cross')
  const label = {
    color: token('--text-1'),
    size: 11,
    family,
    backgroundColor: token('--surface-3'),
    borderColor: token('--border-strong'),
    borderRadius: 3,
  }
  return {
    grid: {
      horizontal: { color: token('--chart-grid'), style: 'solid' },
      vertical: { color: token('--chart-grid'), style: 'solid' },
    },
    candle: {
      bar: {
        upColor: up,
        downColor: down,
        noChangeColor: axis,
        upBorderColor: up,
        downBorderColor: down,
        noChangeBorderColor: axis,
        upWickColor: up,
        downWickColor: down,
        noChangeWickColor: axis,
      },
      tooltip: { showRule: 'none' },
      priceMark: {
        high: { color: axis, textSize: 11, textFamily: family },
        low: { color: axis, textSize: 11, textFamily: family },
        last: {
          upColor: token('--up-solid'),
          downColor: token('--down-solid'),
          noChangeColor: axis,
          line: { style: 'dashed', dashedValue: [1, 3] },
          text: { size: 11, family, color: token('--on-direction'), borderRadius: 3 },
        },
      },
    },
    indicator: {
      tooltip: { showRule: 'none' },
      lastValueMark: { show: false },
      lines: [
        { color: token('--ind-1'), size: 1.25 },
        { color: token('--ind-2'), size: 1.25 },
        { color: token('--ind-3'), size: 1.25 },
      ],
      bars: [{ upColor: fade(up), downColor: fade(down), noChangeColor: fade(axis) }],
    },
    xAxis: { axisLine: line, tickLine: line, tickText: tick },
    yAxis: { axisLine: line, tickLine: line, tickText: tick },
    separator: { color: token('--border') },
    crosshair: {
      horizontal: { line: { color: cross, dashedValue: [4, 3] }, text: label },
      vertical: { line: { color: cross, dashedValue: [4, 3] }, text: label },
    },
  }
}

/** A hex colour at a third of its opacity, for bars behind the candles. */
function fade(colour: string): string {
  return /^#[0-9a-f]{6}$/i.test(colour) ? `${colour}52` : colour
}
