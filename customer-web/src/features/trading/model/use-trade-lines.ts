import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineMove, TradeLine } from '@/features/chart/model/trade-line'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { useAccount } from '@/live/account-store'
import { usePreferences } from '@/theme/preferences'
import { useShownTheme } from '@/theme/use-shown-theme'
import { usePendingOrders } from '../api/pending-orders'
import type { MovedLine } from './use-moved-line'

/**
 * The chart lines of a product: entry, stop loss, take profit and trailing stop of its positions, and its pending
 * orders. A moved line stays where it was dropped; without `moved` lines can't be dragged.
 */
export function useTradeLines(product: Product, moved?: MovedLine | null): readonly TradeLine[] {
  const { t } = useTranslation()
  const direction = usePreferences((preferences) => preferences.direction)
  const theme = useShownTheme()
  // The data of the lines without the live profit, so that a tick does not redraw them.
  const key = useAccount(({ positions }) =>
    JSON.stringify(
      (positions ?? [])
        .filter((one) => one.productId === product.productId)
        .map(({ positionId, side, lots, openPrice, stopLoss, takeProfit, trailingLevel }) => ({
          positionId,
          side,
          lots,
          openPrice,
          stopLoss,
          takeProfit,
          trailingLevel,
        })),
    ),
  )
  const orders = usePendingOrders()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again when theme or direction change
  return useMemo(() => {
    const colours = getComputedStyle(document.documentElement)
    const token = (name: string) => colours.getPropertyValue(name).trim()
    const line = (
      id: string,
      price: string,
      text: string,
      colour: string,
      dashed: boolean,
      moves?: LineMove,
    ): TradeLine => ({
      id,
      price: Number(moved?.lineId === id ? moved.price : price),
      point: product.point,
      text,
      moves: moved === undefined ? undefined : moves,
      colour: token(colour),
      onColour: token('--on-direction'),
      dashed,
      family: token('--font-ui'),
    })
    const shown = JSON.parse(key) as {
      positionId: number
      side: 'buy' | 'sell'
      lots: string
      openPrice: string
      stopLoss?: string
      takeProfit?: string
      trailingLevel?: string
    }[]
    const pending = orders
      .filter(({ productId }) => productId === product.productId)
      .map((order) => {
        const armed = order.status === 'working' && order.limitPrice !== undefined
        return line(
          `${order.orderId}-order`,
          (armed && order.limitPrice) || order.price,
          `${t(`trade.waiting.${order.side}_${order.type}`)} ${formatLots(product, order.lots)}`,
          order.side === 'buy' ? '--up-solid' : '--down-solid',
          true,
          { of: 'order', id: order.orderId, price: armed ? 'limitPrice' : 'price' },
        )
      })
    const held = shown.flatMap(
      ({ positionId, side, lots, openPrice, stopLoss, takeProfit, trailingLevel }) => [
        line(
          `${positionId}-entry`,
          openPrice,
          `${t(side === 'buy' ? 'trade.buy' : 'trade.sell')} ${formatLots(product, lots)}`,
          side === 'buy' ? '--up-solid' : '--down-solid',
          false,
        ),
        ...(stopLoss
          ? [
              line(`${positionId}-sl`, stopLoss, 'SL', '--down-solid', true, {
                ...{ of: 'position', id: positionId },
                price: 'stopLoss',
              }),
            ]
          : []),
        ...(takeProfit
          ? [
              line(`${positionId}-tp`, takeProfit, 'TP', '--up-solid', true, {
                ...{ of: 'position', id: positionId },
                price: 'takeProfit',
              }),
            ]
          : []),
        // It follows the price by itself and can't be dragged.
        ...(trailingLevel
          ? [
              line(
                `${positionId}-trail`,
                trailingLevel,
                t('trade.rule_of.trailing'),
                '--down-solid',
                true,
              ),
            ]
          : []),
      ],
    )
    return [...held, ...pending]
  }, [key, orders, moved, product.productId, product.point, t, theme, direction])
}
