import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '@/format/time'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import type { Security } from '../api/security'
import { HoldCard } from './hold-card'
import styles from './security.module.css'
import { TimeLeft } from './time-left'

export type SecurityListProps = {
  security: Security
  /** Where the payment password is set and changed, if it can be. */
  paymentPath?: string | undefined
}

/** What guards the account, line by line, without a score. */
export function SecurityList({ security, paymentPath }: SecurityListProps) {
  const { t } = useTranslation()
  const { mail, phone, moneyOutHeldUntil, moneyOutHoldReason, lastLoginAt, lastLoginDevice } =
    security
  const contact = mail || phone
  return (
    <div className={styles.flow}>
      {moneyOutHeldUntil !== undefined && moneyOutHoldReason !== undefined && (
        <HoldCard until={moneyOutHeldUntil} reason={moneyOutHoldReason} />
      )}
      <ul className={styles.list}>
        <li>
          {paymentPath ? (
            <Link to={paymentPath} className={cx(styles.row, styles.link)}>
              <PaymentLine security={security} />
              <span className={styles.act}>
                {security.payPasswordSet ? t('security.payment.change') : t('security.payment.set')}
              </span>
              <Icon name="forward" />
            </Link>
          ) : (
            <div className={styles.row}>
              <PaymentLine security={security} />
            </div>
          )}
        </li>
        {contact && (
          <li className={styles.row}>
            <Icon name={mail ? 'send' : 'phone'} size={20} />
            <div className={styles.words}>
              <span className={styles.name}>{mail ? t('session.mail') : t('session.phone')}</span>
              <span className={styles.about}>{t('security.codes')}</span>
            </div>
            <Num className={styles.value}>{contact}</Num>
          </li>
        )}
        {lastLoginAt !== undefined && (
          <li className={styles.row}>
            <Icon name="device" size={20} />
            <div className={styles.words}>
              <span className={styles.name}>{t('security.last_login')}</span>
              {lastLoginDevice && (
                <bdi dir="ltr" className={styles.about}>
                  {lastLoginDevice}
                </bdi>
              )}
            </div>
            <span className={styles.value}>
              <TimeText at={lastLoginAt} />
            </span>
          </li>
        )}
      </ul>
    </div>
  )
}

/** Whether there is a payment password, and how it stands. */
function PaymentLine({ security }: Pick<SecurityListProps, 'security'>) {
  const { t } = useTranslation()
  const timeStyle = useTimeStyle()
  const { payPasswordAt, payPasswordLockedUntil } = security
  return (
    <>
      <Icon name="lock" size={20} />
      <div className={styles.words}>
        <span className={styles.name}>{t('security.payment')}</span>
        <span className={styles.about}>
          {payPasswordAt === undefined
            ? t('security.payment.unset')
            : t('security.payment.since', { date: formatDate(payPasswordAt, timeStyle) })}
        </span>
        {payPasswordLockedUntil !== undefined && (
          <span className={styles.locked}>
            {t('security.payment.locked')} <TimeLeft until={payPasswordLockedUntil} />
          </span>
        )}
      </div>
    </>
  )
}
