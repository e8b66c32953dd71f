import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice, truncatePrice } from '@/format/price'
import { toast } from '@/ui/toast/toast-store'
import { useInsertOrder } from '../api/orders'
import { resetProtection, type Side, type Ticket } from './ticket-store'

type Order = Pick<Ticket, 'lots' | 'leverage'> & {
  side: Side
  /** The price shown to the trader. */
  price: string
  stopLoss?: string
  takeProfit?: string
}

/**
 * Sends market orders of a product and tells what was filled. While the outcome of the last one is unknown, it can be
 * asked for again: the same order can't be filled twice.
 */
export function useMarketOrder(product: Product, onFilled?: () => void) {
  const { t } = useTranslation()
  const [checking, setChecking] = useState(false)
  const { mutate, reset, error, isPending, variables } = useInsertOrder(() => setChecking(true))
  const unanswered = isOutcomeUnknown(error) ? variables : undefined

  const write = (body: Wire['InsertOrder']) => {
    if (isPending) return
    setChecking(false)
    mutate(body, {
      onSuccess: ({ fill }) => {
        resetProtection()
        if (!fill) return
        const what = {
          side: t(body.side === 'buy' ? 'trade.buy' : 'trade.sell'),
          lots: formatLots(product, fill.lots),
          symbol: product.productNo,
          price: formatPrice(fill.price, product.point),
        }
        toast.success(t('trade.filled', what), {
          action: { label: t('trade.proof'), onPress: () => openReceipt(fill.fillId) },
        })
        onFilled?.()
      },
      onSettled: () => setChecking(false),
    })
  }

  const send = ({ lots, price, ...order }: Order) =>
    write({
      ...order,
      productId: product.productId,
      lots: completeNumeric(lots),
      price: truncatePrice(price, product.point),
    })

  return {
    send,
    /** Asks again for the last order; null if its outcome is known. */
    askAgain: unanswered ? () => write(unanswered) : null,
    /** Drops the refusal of the last order, once its input has changed. */
    forget: () => error && !unanswered && reset(),
    error,
    busy: isPending,
    checking,
  }
}
