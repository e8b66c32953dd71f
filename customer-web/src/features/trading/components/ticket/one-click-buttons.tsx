import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { completeNumeric } from '@/format/numeric-input'
import { Button } from '@/ui/button'
import { useShortcuts } from '@/ui/use-shortcuts'
import { isVolume } from '../../model/lots'
import { type Side, useTicket } from '../../model/ticket-store'
import { useMarketOrder } from '../../model/use-market-order'
import type { OrderState } from '../../model/use-order-state'
import { useTradeRestrictions } from '../../model/use-trade-restrictions'
import { FailureNote } from '../positions/failure-note'
import { SidePicker } from './side-picker'

export type OneClickButtonsProps = { product: Product; state: OrderState }

/** Sell and Buy, each of which sends a market order of the ticket's volume at once, without stop loss and take profit. */
export function OneClickButtons({ product, state }: OneClickButtonsProps) {
  const { t } = useTranslation()
  const { lots, leverage } = useTicket()
  const order = useMarketOrder(product)
  const restricted = useTradeRestrictions().length > 0
  const buttons = useRef<HTMLDivElement>(null)
  const { quote, obstacle } = state
  const fits = isVolume(product, completeNumeric(lots))
  const off = obstacle !== null || restricted || !fits || order.busy

  const send = (side: Side) => {
    const price = side === 'buy' ? quote?.ask : quote?.bid
    if (price && !off) order.send({ side, lots, leverage, price })
  }
  // A key only moves the focus, so that no single stray key sends an order.
  const focus = (side: Side) =>
    buttons.current?.querySelector<HTMLElement>(`[data-side=${side}]`)?.focus()
  useShortcuts({ b: () => focus('buy'), s: () => focus('sell') })

  return (
    <div ref={buttons}>
      {order.error != null && !order.busy && <FailureNote error={order.error} />}
      {order.askAgain ? (
        <Button block size="large" busy={order.busy} onClick={order.askAgain}>
          {t(order.checking ? 'trade.checking' : 'position.ask_again')}
        </Button>
      ) : (
        <SidePicker product={product} quote={quote} off={off} onPick={send} />
      )}
    </div>
  )
}
