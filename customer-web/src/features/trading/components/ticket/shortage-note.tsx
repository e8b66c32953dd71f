import { useTranslation } from 'react-i18next'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { toScaled } from '@/format/arithmetic'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatLots } from '@/format/lots'
import { useAccountName } from '@/session/account-name'
import { useIsDemo } from '@/session/session-store'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { editTicket } from '../../model/ticket-store'
import type { Shortage } from '../../model/use-shortage'
import styles from './shortage-note.module.css'

const WAYS = {
  topUp: { to: '/switchAccount', text: 'home.quick.top_up', needed: 'margin.top_up' },
  deposit: { to: '/deposite', text: 'home.quick.deposit', needed: 'margin.deposit' },
  transfer: {
    to: '/mywallet?transfer=trade',
    text: 'margin.short.transfer',
    needed: 'margin.transfer',
  },
} as const

/** How money gets on the account in use: deposits arrive on the main account only. */
function useMoneyWay() {
  const demo = useIsDemo()
  const number = useAccountName()?.number ?? 1
  if (demo) return WAYS.topUp
  return number > 1 ? WAYS.transfer : WAYS.deposit
}

export type ShortageNoteProps = Shortage & { product: Product }

/** The margin is insufficient for an order, or the balance for its commission; offers a smaller volume, or how to get money on the account. */
export function ShortageNote({ product, of, needed, has, most }: ShortageNoteProps) {
  const { t } = useTranslation()
  const money = useMoneyWay()
  const sum = (value: string) => bidiIsolate(formatFixed(value, 2))
  if (of === 'margin' && toScaled(has, 6) === 0n && most === '0')
    return (
      <Button block size="large" variant="primary" to={money.to}>
        {t(money.needed)}
      </Button>
    )
  return (
    <>
      <Note tone="warning">
        {of === 'margin'
          ? t('error.order.no_margin', { needed: sum(needed), free: sum(has) })
          : t('error.order.no_cash', { commission: sum(needed), balance: sum(has) })}
      </Note>
      <div className={styles.ways}>
        {most !== '0' && (
          <Button onClick={() => editTicket({ lots: most })}>
            {t('margin.short.set', { lots: bidiIsolate(formatLots(product, most)) })}
          </Button>
        )}
        <Button to={money.to}>{t(money.text)}</Button>
      </div>
    </>
  )
}
