import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatFixed } from '@/format/amount'
import { decimalsOf } from '@/format/column'
import { Icon } from '@/ui/icons/icon'
import styles from '@/ui/link-row.module.css'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { Withdrawal } from '../api/withdrawals'
import { appearanceOf, nameKey } from '../model/states'

export type WithdrawalRowProps = {
  withdrawal: Withdrawal
  /** The list it is part of. */
  among: readonly Withdrawal[]
  to: string
}

/** A withdrawal row: amount, number, time and state; links to the withdrawal. */
export function WithdrawalRow({ withdrawal, among, to }: WithdrawalRowProps) {
  const { t } = useTranslation()
  const column = among.filter(({ currency }) => currency === withdrawal.currency)
  const decimals = decimalsOf(
    withdrawal.currency,
    column.map(({ amount }) => amount),
  )
  const { tone, icon } = appearanceOf(withdrawal.state)
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.amount}>
          <Num>{formatFixed(withdrawal.amount, decimals)}</Num> <small>{withdrawal.currency}</small>
        </span>
        <span className={styles.sub}>
          <Num>{withdrawal.withdrawNo}</Num>
          <TimeText at={withdrawal.createdAt} />
        </span>
        <span className={styles.state}>
          <Tag tone={tone}>
            <Icon name={icon} size={14} />
            {t(nameKey(withdrawal))}
          </Tag>
        </span>
        <Icon name="forward" className={styles.arrow} />
      </Link>
    </li>
  )
}
