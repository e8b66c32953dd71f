import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { NO_VALUE } from '@/format/decimal'
import styles from '@/ui/block.module.css'
import { Num } from '@/ui/num'
import type { WithdrawalWay } from '../api/withdrawals'
import { type Cost, feeOf, isZeroSum, netOf } from '../model/sums'
import own from './withdraw.module.css'

export type SumRowsProps = {
  /** A decimal string; empty while nothing is typed. */
  amount: string
  cost: Cost & Pick<WithdrawalWay, 'arrivalHours'>
}

/** The amount sent, the fee, the amount received, and the arrival time. */
export function SumRows({ amount, cost }: SumRowsProps) {
  const { t } = useTranslation()
  const fee = feeOf(amount, cost)
  const net = amount === '' ? null : netOf(amount, cost)
  return (
    <dl className={styles.pairs}>
      <div>
        <dt>{t('withdraw.fact.amount')}</dt>
        <dd>
          <Num>{formatAmount(amount)}</Num> USDT
        </dd>
      </div>
      <div>
        <dt>{t('withdraw.fact.fee')}</dt>
        <dd>
          {amount === '' && !isZeroSum(cost.feeRate) ? (
            <Num>{NO_VALUE}</Num>
          ) : isZeroSum(fee) ? (
            t('withdraw.sum.none')
          ) : (
            <>
              <Num>{formatAmount(fee)}</Num> USDT
            </>
          )}
        </dd>
      </div>
      <div className={own.receive}>
        <dt>{t('withdraw.fact.net')}</dt>
        <dd>
          <Num>{net === null ? NO_VALUE : formatAmount(net)}</Num> USDT
        </dd>
      </div>
      <div>
        <dt>{t('withdraw.sum.arrival')}</dt>
        <dd>{t('withdraw.sum.arrival_hours', { hours: cost.arrivalHours })}</dd>
      </div>
    </dl>
  )
}
