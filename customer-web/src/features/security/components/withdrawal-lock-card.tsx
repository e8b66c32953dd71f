import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { TimeText } from '@/ui/time-text'
import type { Security } from '../api/security'
import styles from './security.module.css'
import { TimeLeft } from './time-left'

export type WithdrawalLockCardProps = {
  until: number
  reason: NonNullable<Security['moneyOutHoldReason']>
}

/** A withdrawal lock: its reason, the time left, and its end. */
export function WithdrawalLockCard({ until, reason }: WithdrawalLockCardProps) {
  const { t } = useTranslation()
  return (
    <section className={styles.block}>
      <h2 className={styles.held}>
        <Icon name="clock" size={20} />
        {t('security.hold.title')}
      </h2>
      <dl className={styles.pairs}>
        <div>
          <dt>{t('security.hold.why')}</dt>
          <dd>{t(`security.hold.reason.${reason}`)}</dd>
        </div>
        <div>
          <dt>{t('security.hold.left')}</dt>
          <dd>
            <TimeLeft until={until} />
          </dd>
        </div>
        <div>
          <dt>{t('security.hold.until')}</dt>
          <dd>
            <TimeText at={until} />
          </dd>
        </div>
      </dl>
      <p className={styles.small}>{t('security.hold.note')}</p>
    </section>
  )
}
