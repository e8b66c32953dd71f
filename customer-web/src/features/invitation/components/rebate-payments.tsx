import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import { formatAmount } from '@/format/amount'
import { EmptyState } from '@/ui/empty-state'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { TimeText } from '@/ui/time-text'
import { useRebatePayments } from '../api/invitation'
import styles from './invitation.module.css'

/** The rebates that were paid, day by day. */
export function RebatePayments() {
  const { t } = useTranslation()
  const query = useRebatePayments()
  const list = query.data?.pages.flatMap((page) => page.list) ?? []
  return (
    <section className={styles.block}>
      <h2 className={styles.head}>{t('invite.payments')}</h2>
      {query.isPending && <SkeletonRows rows={3} rowHeight={56} />}
      {query.data && list.length === 0 && <EmptyState text={t('invite.unpaid')} />}
      {list.length > 0 && (
        <ul className={styles.list}>
          {list.map((one) => (
            <li key={one.paymentId}>
              <div className={styles.words}>
                <span className={styles.name}>
                  <Num>{one.day}</Num>
                </span>
                <span className={styles.about}>
                  {t('invite.trades', { count: one.fills })} · <TimeText at={one.time} />
                </span>
              </div>
              <Num>+{formatAmount(one.amount)} USDT</Num>
            </li>
          ))}
        </ul>
      )}
      <ListFoot query={query} reassurance={t('wallet.reassurance')} />
    </section>
  )
}
