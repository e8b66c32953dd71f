import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed } from '@/format/amount'
import { accountName } from '@/session/account-name'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { type Account, isMock } from '../api/accounts'
import { ceilingText } from '../model/account-limits'
import styles from './account-card.module.css'

export type AccountCardProps = {
  account: Account
  /** The session uses this account now. */
  current: boolean
  actions: ReactNode
}

/** One account: name, value, rules, whether it is in use, and its actions. */
export function AccountCard({ account, current, actions }: AccountCardProps) {
  const { t } = useTranslation()
  const demo = isMock(account.accountType)
  const name = accountName(t, account, demo)
  return (
    <section className={cx(styles.card, current && styles.current)} aria-label={name}>
      <div className={styles.head}>
        <h2 dir="auto">{name}</h2>
        {demo && <Tag tone="demo">{t('shell.demo.tag')}</Tag>}
        {current && (
          <span className={styles.inUse}>
            <Icon name="check" size={16} />
            {t('switch_account.in_use')}
          </span>
        )}
      </div>
      {account.open ? (
        <>
          <p className={styles.balance}>
            <Num>{formatFixed(account.balance, 2)}</Num> <small>{account.currency}</small>
          </p>
          <dl className={styles.facts}>
            <div>
              <dt>{t('switch_account.id')}</dt>
              <dd>
                <Num>{account.accountId}</Num>
              </dd>
            </div>
            <div>
              <dt>{t('switch_account.ceiling')}</dt>
              <dd>{ceilingText(t, account.leverageCeiling)}</dd>
            </div>
            <div>
              <dt>{t('account_mode.title')}</dt>
              <dd>{t(account.netting ? 'account_mode.netting' : 'account_mode.hedging')}</dd>
            </div>
          </dl>
        </>
      ) : (
        <>
          <p className={styles.closed}>{t('switch_account.demo.closed')}</p>
          <p className={styles.about}>{t('switch_account.demo.about')}</p>
        </>
      )}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  )
}
