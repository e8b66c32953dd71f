import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import { isAll, partProblem, restOf, shareOfSum } from '../../model/close-part'
import { estimateCommission, estimateProfit } from '../../model/estimate'
import styles from './position-sheets.module.css'

export type CloseFiguresProps = {
  product: Product
  position: Wire['Position']
  /** The volume to close. */
  lots: string
}

/** What closing a volume brings and costs at the current quote, and what stays open. */
export function CloseFigures({ product, position, lots }: CloseFiguresProps) {
  const { t } = useTranslation()
  const quote = useQuote(product.productId)
  useQuote(product.conversion.productId || product.productId)
  const { side } = position
  const price = side === 'buy' ? quote?.bid : quote?.ask
  const problem = partProblem(product, lots, position.lots)
  const deal = { side, lots, open: position.openPrice, close: price ?? '' }
  const profit =
    problem === 'lots'
      ? null
      : (estimateProfit(product, deal, readQuote) ??
        shareOfSum(position.profit, lots, position.lots))
  const fee = estimateCommission(product, { lots, price: price ?? '' }, readQuote)
  return (
    <dl className={styles.rows}>
      <div>
        <dt>{t(side === 'buy' ? 'position.close.price_sell' : 'position.close.price_buy')}</dt>
        <dd className={styles.price}>
          <PriceText price={price} point={product.point} />
        </dd>
      </div>
      <div>
        <dt>{t('position.close.profit')}</dt>
        <dd>
          {profit === null ? (
            <Num>–</Num>
          ) : (
            <>
              <ChangeText kind="number" value={profit} arrow /> <small>USDT</small>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('trade.commission')}</dt>
        <dd>
          <Num>{fee === null ? '–' : formatFixed(fee, 2)}</Num> <small>USDT</small>
        </dd>
      </div>
      {problem === null && !isAll(lots, position.lots) && (
        <div>
          <dt>{t('position.close.stays')}</dt>
          <dd>
            <Num>{formatLots(product, restOf(lots, position.lots))}</Num>{' '}
            <small>{t('trade.lots')}</small>
          </dd>
        </div>
      )}
    </dl>
  )
}
