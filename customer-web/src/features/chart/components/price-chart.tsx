import { type Chart, dispose, init } from 'klinecharts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import type { Product } from '@/features/market/api/products'
import { zoneName } from '@/format/zone'
import { useLanguage } from '@/i18n/use-language'
import { usePreferences } from '@/theme/preferences'
import { useShownTheme } from '@/theme/use-shown-theme'
import { ErrorBlock } from '@/ui/error-block'
import { useTimeStyle } from '@/ui/time-text'
import { chartData, emptyLoader } from '../model/chart-data'
import { chartDate } from '../model/chart-dates'
import { chartStyles } from '../model/chart-styles'
import type { Indicator } from '../model/indicators'
import { chartPeriod, type PeriodCode } from '../model/periods'
import { priceOfLine, registerTradeLine, TRADE_LINE, type TradeLine } from '../model/trade-line'
import { drawMarks, registerTradeMark, showMarks, type TradeMark } from '../model/trade-mark'
import { ChartLegend } from './chart-legend'
import styles from './price-chart.module.css'

export type PriceChartProps = {
  product: Product
  period: PeriodCode
  /** Indicators drawn over the candles, with their parameters. */
  overlays?: readonly { name: Indicator; calcParams: number[] }[]
  volume?: boolean
  lines?: readonly TradeLine[]
  /** Where a past trade was opened and closed; the chart shows the candles around them first. */
  marks?: readonly TradeMark[]
  /** A line was dragged to a price and released. */
  onMove?: ((line: TradeLine, price: string) => void) | undefined
}

const NO_LINES: readonly TradeLine[] = []
const NO_MARKS: readonly TradeMark[] = []

/** Live bid candles, drawn by KLineChart in the app's colours. Always left to right. */
export default function PriceChart({
  product,
  period,
  overlays = [],
  volume = true,
  lines = NO_LINES,
  marks = NO_MARKS,
  onMove,
}: PriceChartProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<Chart | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  const moveTo = useRef(onMove)
  useEffect(() => {
    moveTo.current = onMove
  })
  const language = useLanguage()
  const direction = usePreferences((preferences) => preferences.direction)
  const { tag, hourCycle, timeZone } = useTimeStyle()
  const theme = useShownTheme()
  const { productId, productNo, point } = product
  const indicatorKey = JSON.stringify(overlays)
  const marked = useRef(marks)
  useEffect(() => {
    marked.current = marks
  })
  const since = marks.length > 0 ? Math.min(...marks.map(({ at }) => at)) : undefined

  useEffect(() => {
    const element = box.current
    if (!element) return
    registerTradeLine()
    registerTradeMark()
    const made = init(element, {
      locale: 'en-US',
      thousandsSeparator: { sign: ',' },
      decimalFold: { threshold: 99 },
    })
    setChart(made)
    const observer = new ResizeObserver(() => made?.resize())
    observer.observe(element)
    return () => {
      observer.disconnect()
      setChart(null)
      dispose(element)
    }
  }, [])

  useEffect(() => {
    chart?.setFormatter({
      formatDate: (params) => chartDate(params, { tag, hourCycle, timeZone }),
    })
    chart?.setTimezone(zoneName(timeZone))
  }, [chart, tag, hourCycle, timeZone])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens change with theme, direction and language
  useEffect(() => {
    // The document gets the new theme in the same turn; the tokens are available one frame later.
    const frame = requestAnimationFrame(() => {
      if (box.current) chart?.setStyles(chartStyles(box.current))
    })
    return () => cancelAnimationFrame(frame)
  }, [chart, theme, direction, language.code])

  // biome-ignore lint/correctness/useExhaustiveDependencies: attempt loads again after an error
  useEffect(() => {
    if (!chart) return
    setError(null)
    // Each of these calls makes the library query its current loader.
    chart.setDataLoader(emptyLoader)
    chart.setSymbol({ ticker: productNo, pricePrecision: point, volumePrecision: 0 })
    chart.setPeriod(chartPeriod(period))
    const data = chartData(productId, period, setError, {
      since,
      onFirst: () => showMarks(chart, marked.current, period),
    })
    chart.setDataLoader(data)
    return () => data.close()
  }, [chart, productId, productNo, point, period, since, attempt])

  useEffect(() => {
    if (chart) drawMarks(chart, marks, period)
  }, [chart, marks, period])

  useEffect(() => {
    if (!chart) return
    const wanted = JSON.parse(indicatorKey) as { name: string; calcParams: number[] }[]
    for (const { name, calcParams } of wanted) {
      chart.createIndicator({ name, calcParams, paneId: 'candle_pane' }, true)
    }
    if (volume) {
      chart.createIndicator({ name: 'VOL' satisfies Indicator, calcParams: [] }, false)
      const pane = chart.getIndicators({ name: 'VOL' })[0]?.paneId
      if (pane) chart.setPaneOptions({ id: pane, height: 56, minHeight: 40 })
    }
    return () => {
      chart.removeIndicator()
    }
  }, [chart, indicatorKey, volume])

  useEffect(() => {
    if (!chart) return
    // Unchanged lines are not redrawn: the trader may be dragging one while others move with the price.
    const fresh = new Map(lines.map((line) => [line.id, JSON.stringify(line)]))
    for (const { id, extendData } of chart.getOverlays({ name: TRADE_LINE })) {
      if (JSON.stringify(extendData) === fresh.get(id)) fresh.delete(id)
      else chart.removeOverlay({ id })
    }
    for (const line of lines) {
      if (!fresh.has(line.id)) continue
      chart.createOverlay({
        name: TRADE_LINE,
        id: line.id,
        lock: !line.moves,
        extendData: line,
        points: [{ value: line.price }],
        onPressedMoveEnd: ({ overlay }) => {
          const price = priceOfLine(overlay.points[0]?.value ?? line.price, line.point)
          if (price !== priceOfLine(line.price, line.point)) moveTo.current?.(line, price)
        },
        // By default the library removes a line on right click.
        onRightClick: (event) => event.preventDefault?.(),
      })
    }
  }, [chart, lines])

  return (
    <div className={styles.plot} dir="ltr">
      {/* The canvas is an image; the legend and the quotes table contain its prices and candles as text. */}
      <div
        ref={box}
        className={styles.canvas}
        role="img"
        aria-label={t('chart.label', { symbol: productNo, period })}
      />
      {chart && <ChartLegend chart={chart} product={product} period={period} />}
      {error !== null && (
        <div className={styles.error}>
          <ErrorBlock {...reasonOf(error)} onRetry={() => setAttempt((n) => n + 1)} />
        </div>
      )}
    </div>
  )
}
