import { useTranslation } from 'react-i18next'
import { exportRebates } from '@/features/export/api/exports'
import { ExportButton } from '@/features/export/components/export-button'
import { ListFoot } from '@/features/list/components/list-foot'
import { formatAmount } from '@/format/amount'
import { formatDate } from '@/format/time'
import { withDots } from '@/storage/mask-name'
import { EmptyState } from '@/ui/empty-state'
import { Num } from '@/ui/num'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { Tag } from '@/ui/tag'
import { useTimeStyle } from '@/ui/time-text'
import { type Invitee, useInvitees } from '../api/invitation'
import styles from './invitation.module.css'

/** Whom the trader has invited, each with what they have brought. */
export function Invitees() {
  const { t } = useTranslation()
  const query = useInvitees()
  const list = query.data?.pages.flatMap((page) => page.list) ?? []
  return (
    <section className={styles.block}>
      <div className={styles.tools}>
        <h2 className={styles.head}>{t('invite.people')}</h2>
        {list.length > 0 && <ExportButton name="candor-rebates" fetchFile={exportRebates} />}
      </div>
      {query.isPending && <SkeletonRows rows={3} rowHeight={56} />}
      {query.data && list.length === 0 && <EmptyState text={t('invite.nobody')} />}
      {list.length > 0 && (
        <ul className={styles.list}>
          {list.map((one) => (
            <Row key={one.userId} invitee={one} />
          ))}
        </ul>
      )}
      <ListFoot query={query} reassurance={t('wallet.reassurance')} />
    </section>
  )
}

function Row({ invitee }: { invitee: Invitee }) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  return (
    <li>
      <div className={styles.words}>
        <span className={styles.name}>
          <bdi dir="ltr">{withDots(invitee.name)}</bdi>
        </span>
        <span className={styles.about}>
          {t('invite.since', { date: formatDate(invitee.since, timeStyle) })}
        </span>
        {invitee.void && <span className={styles.about}>{t('invite.void')}</span>}
      </div>
      {invitee.void ? (
        <Tag tone="warning">{t('invite.void.tag')}</Tag>
      ) : (
        <Num>{formatAmount(invitee.earned)} USDT</Num>
      )}
    </li>
  )
}
