import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatFixed } from '@/format/amount'
import { decimalsOf } from '@/format/column'
import { Icon } from '@/ui/icons/icon'
import styles from '@/ui/link-row.module.css'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { Deposit } from '../api/deposits'
import { appearanceOf } from '../model/states'

export type DepositRowProps = {
  deposit: Deposit
  /** The list it is part of. */
  among: readonly Deposit[]
  to: string
}

/** The amount in a list row: credited if known, else requested. */
function sumOf({ credited, amount, currency }: Deposit) {
  return credited === undefined ? { amount, currency } : { amount: credited, currency: 'USDT' }
}

/** A deposit row: amount, channel, number, time and state; links to the deposit. */
export function DepositRow({ deposit, among, to }: DepositRowProps) {
  const { t } = useTranslation()
  const { tone, icon } = appearanceOf(deposit.state)
  const { amount, currency } = sumOf(deposit)
  const column = among.map(sumOf).filter((one) => one.currency === currency)
  const decimals = decimalsOf(
    currency,
    column.map((one) => one.amount),
  )
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.amount}>
          <Num>{formatFixed(amount, decimals)}</Num> <small>{currency}</small>
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
