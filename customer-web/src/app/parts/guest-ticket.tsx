import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { QuoteLine } from '@/features/trading/components/ticket/quote-line'
import { SidePicker } from '@/features/trading/components/ticket/side-picker'
import { useOrderState } from '@/features/trading/model/use-order-state'
import { setFocus } from '@/live/live'
import { useAskLogin } from '@/session/login-request'
import { Button } from '@/ui/button'
import { registerPathFrom } from '../nav/register-path'
import styles from './guest-ticket.module.css'
import TryDemo from './try-demo'

export type GuestTicketProps = {
  product: Product
  /** The trade screen, to which signing up leads back. */
  path: string
}

/** What a visitor sees where a trader has the order ticket: live prices, demo money, sign-up and log-in. */
export function GuestTicket({ product, path }: GuestTicketProps) {
  const { t } = useTranslation()
  const ask = useAskLogin()
  const { quote, age } = useOrderState(product)
  const reason = t('shell.log_in_to_trade', { symbol: product.productNo })
  useEffect(() => {
    setFocus(product.productId)
    return () => setFocus(0)
  }, [product])
  return (
    <div className={styles.ticket}>
      <SidePicker product={product} quote={quote} off={false} onPick={() => ask(reason)} />
      <div className={styles.line}>
        <QuoteLine quote={quote} age={age} />
      </div>
      <p className={styles.text}>{t('trade.guest_ticket')}</p>
      <TryDemo variant="primary" onDone={() => {}} />
      <div className={styles.ways}>
        <Button to={registerPathFrom(`${path}?product=${product.productId}`)} size="large" block>
          {t('shell.sign_up')}
        </Button>
        <Button size="large" block onClick={() => ask(reason)}>
          {t('shell.log_in')}
        </Button>
      </div>
    </div>
  )
}
