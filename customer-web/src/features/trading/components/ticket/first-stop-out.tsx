import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatLots } from '@/format/lots'
import { useAccount } from '@/live/account-store'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { Num } from '@/ui/num'
import { exposureOf } from '../../model/order-effect'
import { stopOutPrice } from '../../model/stop-out-price'
import { StopOutText } from './stop-out-text'

export type FirstStopOutProps = {
  position: Wire['Position']
  product: Product
}

/** The position that a stop-out would close first, and the price of its product at which that would start. */
export function FirstStopOut({ position, product }: FirstStopOutProps) {
  const { t } = useTranslation()
  const { statistics, positions } = useAccount()
  useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const exposure = statistics && exposureOf(product, positions ?? [], statistics)
  const price = exposure && stopOutPrice(product, exposure.open, exposure.account, readQuote)
  return (
    <b>
      {product.productNo} {t(position.side === 'buy' ? 'trade.buy' : 'trade.sell')}{' '}
      <Num>{formatLots(product, position.lots)}</Num>
      {price && (
        <>
          {' · '}
          <StopOutText at={price} point={product.point} />
        </>
      )}
    </b>
  )
}
