import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '@/format/time'
import { withDots } from '@/storage/mask-name'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { TimeText, useTimeStyle } from '@/ui/time-text'
import type { Security } from '../api/security'
import styles from './security.module.css'
import { TimeLeft } from './time-left'
import { WithdrawalLockCard } from './withdrawal-lock-card'

export type SecurityListProps = {
  security: Security
  /** The path to set and change the payment password, if available. */
  paymentPath?: string | undefined
  /** The whitelist's state and path; undefined while saved addresses are switched off. */
  whitelist?: { state: 'on' | 'off' | 'ending'; path: string } | undefined
  /** Opens the freeze sheet; undefined without real money. */
  onFreeze?: (() => void) | undefined
}

/** The account's security settings, one per line, without a score. */
export function SecurityList({ security, paymentPath, whitelist, onFreeze }: SecurityListProps) {
  const { t } = useTranslation()
  const { mail, phone, moneyOutHeldUntil, moneyOutHoldReason, lastLoginAt, lastLoginDevice } =
    security
  const contacts = [
    { icon: 'send', name: t('session.mail'), value: mail, codes: !phone },
    { icon: 'phone', name: t('session.phone'), value: phone, codes: phone !== '' },
  ] as const
  return (
    <div className={styles.flow}>
      {moneyOutHeldUntil !== undefined && moneyOutHoldReason !== undefined && (
        <WithdrawalLockCard until={moneyOutHeldUntil} reason={moneyOutHoldReason} />
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
        {contacts.map(({ icon, name, value, codes }) => (
          <li key={icon} className={styles.row}>
            <Icon name={icon} size={20} />
            <div className={styles.words}>
              <span className={styles.name}>{name}</span>
              {value && codes && <span className={styles.about}>{t('security.codes')}</span>}
            </div>
            <span className={styles.value}>
              {value ? <Num>{withDots(value)}</Num> : t('security.contact.unset')}
            </span>
          </li>
        ))}
        {whitelist && (
          <li>
            <Link to={whitelist.path} className={cx(styles.row, styles.link)}>
              <Icon name="wallet" size={20} />
              <div className={styles.words}>
                <span className={styles.name}>{t('payee.only.title')}</span>
              </div>
              <span className={styles.value}>{t(`security.whitelist.${whitelist.state}`)}</span>
              <Icon name="forward" />
            </Link>
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
        {onFreeze && (
          <li>
            <ButtonBase className={cx(styles.row, styles.link, styles.freeze)} onClick={onFreeze}>
              <Icon name="shield" size={20} />
              <span className={styles.words}>
                <span className={styles.name}>{t('security.freeze')}</span>
                <span className={styles.about}>{t('security.freeze.about')}</span>
              </span>
              <Icon name="forward" />
            </ButtonBase>
          </li>
        )}
      </ul>
    </div>
  )
}

/** Whether a payment password is set or locked. */
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
