import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import styles from './security.module.css'
import { TimeLeft } from './time-left'

export type LockedBlockProps = { until: number }

/** Replaces the form while wrong attempts lock the payment password. */
export function LockedBlock({ until }: LockedBlockProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.lockedBlock}>
      <h2 className={styles.held}>
        <Icon name="lock" size={20} />
        {t('payment_password.locked')}
      </h2>
      <dl className={styles.pairs}>
        <div>
          <dt>{t('security.hold.left')}</dt>
          <dd>
            <TimeLeft until={until} />
          </dd>
        </div>
      </dl>
      <p className={styles.small}>{t('payment_password.locked.hint')}</p>
    </div>
  )
}
