import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatAmount } from '@/format/amount'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { Deposit } from '../api/deposits'
import { lookOf } from '../model/states'
import styles from './deposit-row.module.css'

export type DepositRowProps = { deposit: Deposit; to: string }

/** One deposit in a list: amount, way, number, time, state; leads to it. */
export function DepositRow({ deposit, to }: DepositRowProps) {
  const { t } = useTranslation()
  const { tone, icon } = lookOf(deposit.state)
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.amount}>
          <Num>{formatAmount(deposit.credited ?? deposit.amount)}</Num>{' '}
          <small>{deposit.credited === undefined ? deposit.currency : 'USDT'}</small>
        </span>
        <span className={styles.sub}>
          <span>{t(`deposit.channel.${deposit.kind}`)}</span>
          <Num>{deposit.rechargeNo}</Num>
          <TimeText at={deposit.createdAt} />
        </span>
        <span className={styles.state}>
          <Tag tone={tone}>
            <Icon name={icon} size={14} />
            {t(`deposit.state.${deposit.state}.name`)}
          </Tag>
        </span>
        <Icon name="forward" className={styles.arrow} />
      </Link>
    </li>
  )
}
