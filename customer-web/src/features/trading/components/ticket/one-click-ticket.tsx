import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { useQuote } from '@/live/use-quote'
import { setLots, useTicket } from '../../model/ticket-store'
import { useOrderState } from '../../model/use-order-state'
import { SheetFoot } from '../positions/sheet-foot'
import { LeverageField } from './leverage-field'
import { ObstacleNote } from './obstacle-note'
import { OneClickButtons } from './one-click-buttons'
import { OrderCosts } from './order-costs'
import styles from './order-ticket.module.css'
import { QuoteLine } from './quote-line'
import { VolumeField } from './volume-field'

export type OneClickTicketProps = { product: Product; foot: HTMLElement | null }

/** The market ticket of a trader who enters orders with one click: the volume, and the two buttons that send. */
export function OneClickTicket({ product, foot }: OneClickTicketProps) {
  const { t } = useTranslation()
  const { lots, leverage } = useTicket()
  const state = useOrderState(product)
  useQuote(product.conversion.productId || product.productId)
  useQuote(product.marginConversion.productId || product.productId)
  const { quote } = state
  const deal = { side: 'buy', lots, leverage, price: quote?.ask ?? '' } as const
  return (
    <div className={styles.ticket}>
      <VolumeField
        product={product}
        lots={lots}
        deals={[deal, { ...deal, side: 'sell', price: quote?.bid ?? '' }]}
        onChange={setLots}
      />
      <LeverageField product={product} />
      <dl className={styles.summary}>
        <OrderCosts product={product} deals={[deal]} label={t('trade.margin')} />
      </dl>
      <p className={styles.footnote}>{t('trade.one_click.footnote')}</p>
      <SheetFoot place={foot}>
        <ObstacleNote state={state} />
        <OneClickButtons product={product} state={state} />
        <div className={styles.line}>
          <QuoteLine quote={quote} age={state.age} />
        </div>
      </SheetFoot>
    </div>
  )
}
