import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatFixed } from '@/format/amount'
import { decimalsOf } from '@/format/column'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { Deposit } from '../api/deposits'
import { appearanceOf } from '../model/states'
import styles from './deposit-row.module.css'

export type DepositRowProps = {
  deposit: Deposit
  /** The list that it stands in. */
  among: readonly Deposit[]
  to: string
}

/** What a list says of it: what came of it, or what was asked for. */
function sumOf({ credited, amount, currency }: Deposit) {
  return credited === undefined ? { amount, currency } : { amount: credited, currency: 'USDT' }
}

/** One deposit in a list: amount, way, number, time, state; leads to it. */
export function DepositRow({ deposit, among, to }: DepositRowProps) {
  const { t } = useTranslation()
  const { tone, icon } = appearanceOf(deposit.state)
  const { amount, currency } = sumOf(deposit)
  const column = among.map(sumOf).filter((one) => one.currency === currency)
  return (
    <li>
      <Link to={to} className={styles.row}>
        <span className={styles.amount}>
          <Num>{formatFixed(amount, decimalsOf(column.map((one) => one.amount)))}</Num>{' '}
          <small>{currency}</small>
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
