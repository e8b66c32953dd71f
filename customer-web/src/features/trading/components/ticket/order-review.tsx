import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { useProductName } from '@/features/market/model/product-name'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice } from '@/format/price'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import type { PendingOrderInput } from '../../model/pending-order'
import type { ProtectionInput } from '../../model/ticket-store'
import styles from './order-ticket.module.css'

export type ReviewedOrder = {
  /** The order in one sentence, as on the button. */
  text: string
  stopLoss: ProtectionInput
  takeProfit: ProtectionInput
  /** How long a pending order lasts. */
  force?: PendingOrderInput['force']
  expiresAt?: number | undefined
}

export type OrderReviewProps = {
  product: Product
  leverage: number
  orders: readonly ReviewedOrder[]
  /** Margin and costs. */
  children: ReactNode
}

/** Everything that one press will send, read once more before it is sent. */
export function OrderReview({ product, leverage, orders, children }: OrderReviewProps) {
  const { t } = useTranslation()
  const name = useProductName()(product)
  const protection = ({ on, price }: ProtectionInput) =>
    on ? <Num>{formatPrice(completeNumeric(price), product.point)}</Num> : t('trade.review.none')
  return (
    <div className={styles.ticket}>
      <p className={styles.strong}>
        {product.productNo} · {name}
      </p>
      {orders.map(({ text, stopLoss, takeProfit, force, expiresAt }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the orders keep their places, while the price in their text moves
        <dl key={index} className={styles.summary}>
          <div>
            <dt>{t('trade.review.order')}</dt>
            <dd>{text}</dd>
          </div>
          <div>
            <dt>{t('trade.stop_loss')}</dt>
            <dd>{protection(stopLoss)}</dd>
          </div>
          <div>
            <dt>{t('trade.take_profit')}</dt>
            <dd>{protection(takeProfit)}</dd>
          </div>
          {force && (
            <div>
              <dt>{t('waiting.expiry')}</dt>
              <dd>
                {expiresAt === undefined ? (
                  t(`waiting.force.${force}`)
                ) : (
                  <TimeText at={expiresAt} />
                )}
              </dd>
            </div>
          )}
        </dl>
      ))}
      <dl className={styles.summary}>
        <div>
          <dt>{t('trade.leverage')}</dt>
          <dd>
            <Num>1:{leverage}</Num>
          </dd>
        </div>
      </dl>
      {children}
    </div>
  )
}
