import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useChartSettings } from '@/features/chart/model/chart-store'
import { periodShowing } from '@/features/chart/model/periods'
import type { TradeMark } from '@/features/chart/model/trade-mark'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { useIsVisitor } from '@/session/login-request'
import { usePreferences } from '@/theme/preferences'
import { useShownTheme } from '@/theme/use-shown-theme'
import { positionFillsQuery } from '../api/history'
import { useMarketNow } from './use-market-now'

/** The parameter of a trade screen's address that names the position to show. */
const POSITION = 'position'

/** Adds the position to the path of a trade screen. */
export function showingTrade(path: string, positionId: number): string {
  return `${path}&${POSITION}=${positionId}`
}

/**
 * The marks of the position that the address names, from its fills. When they arrive, the chart takes the finest
 * period that shows them all; afterwards the trader may choose another.
 */
export function useShownTrade(product: Product): readonly TradeMark[] {
  const { t } = useTranslation()
  const [params] = useSearchParams()
  const visitor = useIsVisitor()
  const positionId = Number(params.get(POSITION) ?? 0)
  const enabled = !visitor && Number.isSafeInteger(positionId) && positionId > 0
  const { data } = useQuery({ ...positionFillsQuery(positionId), enabled })
  const direction = usePreferences((preferences) => preferences.direction)
  const theme = useShownTheme()

  const now = useMarketNow()
  const shown = useRef(0)

  // Once for each position: a later fill of it leaves the period that the trader chose.
  useEffect(() => {
    if (!enabled || !data || data.length === 0 || shown.current === positionId) return
    shown.current = positionId
    const times = data.map(({ marketTime }) => marketTime)
    const period = periodShowing(Math.min(...times), Math.max(...times), now())
    useChartSettings.setState({ period })
  }, [enabled, data, positionId, now])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again when theme or direction change
  return useMemo(() => {
    const colours = getComputedStyle(document.documentElement)
    const token = (name: string) => colours.getPropertyValue(name).trim()
    const fills = enabled ? (data ?? []) : []
    return fills
      .filter(({ productId }) => productId === product.productId)
      .map(({ fillId, marketTime, price, lots, side, entry }): TradeMark => {
        const closes = entry === 'close'
        const word = t(closes ? 'trade.entry.close' : `trade.${side}`)
        return {
          id: `${fillId}-mark`,
          at: marketTime,
          price: Number(price),
          text: `${word} ${formatLots(product, lots)}`,
          closes,
          colour: token(closes ? '--accent-solid' : side === 'buy' ? '--up-solid' : '--down-solid'),
          onColour: token(closes ? '--on-accent' : '--on-direction'),
          family: token('--font-ui'),
        }
      })
  }, [data, enabled, product.productId, t, theme, direction])
}
