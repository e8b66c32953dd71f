import ButtonBase from '@mui/material/ButtonBase'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { shortAddress } from '@/format/short-address'
import { formatDate } from '@/format/time'
import { withDots } from '@/storage/mask-name'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import type { IconName } from '@/ui/icons/icon-shapes'
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
  /** Whether telephones can be bound. */
  phoneOffered: boolean
  onPhrase: () => void
  /** Links a wallet or removes the link; undefined where wallets are not offered and none is linked. */
  onWallet?: (() => void) | undefined
  /** Opens the freeze sheet; undefined without real money. */
  onFreeze: () => void
}

/** The account's security settings, one per line, without a score. */
export function SecurityList(props: SecurityListProps) {
  const { security, paymentPath, whitelist, phoneOffered, onPhrase, onWallet, onFreeze } = props
  const { t } = useTranslation()
  const { mail, phone, moneyOutHeldUntil, moneyOutHoldReason, phraseSet, wallet } = security
  const contacts = [
    { icon: 'send', kind: 'mail', name: t('session.mail'), value: mail, codes: mail !== '' },
    { icon: 'phone', kind: 'phone', name: t('session.phone'), value: phone, codes: mail === '' },
  ] as const
  return (
    <div className={styles.flow}>
      {moneyOutHeldUntil !== undefined && moneyOutHoldReason !== undefined && (
        <WithdrawalLockCard until={moneyOutHeldUntil} reason={moneyOutHoldReason} />
      )}
      <ul className={styles.list}>
        <LinkRow
          icon="lock"
          to="/modifyPassword"
          name={t('security.password')}
          act={t('security.payment.change')}
        />
        <FactorRow security={security} />
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
        {contacts
          .filter(({ kind, value }) => kind === 'mail' || value !== '' || phoneOffered)
          .map(({ icon, kind, name, value, codes }) => (
            <LinkRow
              key={kind}
              icon={icon}
              to={`/bindContact?kind=${kind}`}
              name={name}
              about={value && codes ? t('security.codes') : undefined}
              value={value ? <Num>{withDots(value)}</Num> : t('security.contact.unset')}
            />
          ))}
        {onWallet && (
          <ActRow
            icon="wallet"
            name={t('ethereum.title')}
            about={t('ethereum.about')}
            value={wallet ? <Num>{shortAddress(wallet)}</Num> : t('security.contact.unset')}
            onClick={onWallet}
          />
        )}
        <ActRow
          icon="mail"
          name={t('phrase.title')}
          about={t('phrase.about')}
          value={phraseSet ? t('phrase.on') : t('phrase.off')}
          onClick={onPhrase}
        />
        {whitelist && (
          <LinkRow
            icon="wallet"
            to={whitelist.path}
            name={t('payee.only.title')}
            value={t(`security.whitelist.${whitelist.state}`)}
          />
        )}
        <DevicesRow security={security} />
        <LinkRow icon="clock" to="/securityEvents" name={t('security.events.title')} />
        <ActRow
          icon="shield"
          name={t('security.freeze')}
          about={t('security.freeze.about')}
          onClick={onFreeze}
        />
      </ul>
    </div>
  )
}

type RowProps = {
  icon: IconName
  name: string
  about?: ReactNode
  value?: ReactNode
}

function RowWords({ icon, name, about, value }: RowProps) {
  return (
    <>
      <Icon name={icon} size={20} />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        {about && <span className={styles.about}>{about}</span>}
      </span>
      {value && <span className={styles.value}>{value}</span>}
    </>
  )
}

function LinkRow({ to, act, ...row }: RowProps & { to: string; act?: string }) {
  return (
    <li>
      <Link to={to} className={cx(styles.row, styles.link)}>
        <RowWords {...row} />
        {act && <span className={styles.act}>{act}</span>}
        <Icon name="forward" />
      </Link>
    </li>
  )
}

function ActRow({ onClick, ...row }: RowProps & { onClick: () => void }) {
  return (
    <li>
      <ButtonBase className={cx(styles.row, styles.link, styles.freeze)} onClick={onClick}>
        <RowWords {...row} />
        <Icon name="forward" />
      </ButtonBase>
    </li>
  )
}

/** The second factors, or a nudge to add one. */
function FactorRow({ security: { authenticator, passkeys } }: Pick<SecurityListProps, 'security'>) {
  const { t } = useTranslation()
  const on = authenticator || passkeys > 0
  const parts = [
    passkeys > 0 && t('security.factor.passkeys', { count: passkeys }),
    authenticator && t('factor.authenticator'),
  ].filter((part) => part !== false)
  return (
    <LinkRow
      icon="key"
      to="/secondFactor"
      name={t('factor.title')}
      about={on ? parts.join(' · ') : t('security.factor.off')}
      value={on ? t('security.whitelist.on') : t('security.whitelist.off')}
    />
  )
}

function DevicesRow({ security }: Pick<SecurityListProps, 'security'>) {
  const { t } = useTranslation()
  const { lastLoginAt, lastLoginDevice } = security
  return (
    <LinkRow
      icon="device"
      to="/deviceManagement"
      name={t('device.title')}
      about={
        lastLoginDevice && (
          <>
            {t('security.last_login')}: <bdi dir="ltr">{lastLoginDevice}</bdi>
          </>
        )
      }
      value={lastLoginAt !== undefined && <TimeText at={lastLoginAt} />}
    />
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
