import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFixed, formatUsdt } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import styles from '@/ui/block.module.css'
import { Num } from '@/ui/num'
import type { WithdrawalTerms } from '../api/withdrawals'
import { isZeroSum, neededByPositions } from '../model/sums'
import own from './withdraw.module.css'

export type TermsBlocksProps = { terms: WithdrawalTerms }

/** The available amount, the amounts that are not available and why, and what is left of the limits. */
export function TermsBlocks({ terms }: TermsBlocksProps) {
  const { t } = useTranslation()
  const needed = neededByPositions(terms)
  const pair = (label: string, value: string, note?: string, behind?: ReactNode) => (
    <div>
      <dt>
        {label}
        {note && <small className={own.note}>{note}</small>}
      </dt>
      <dd>
        <Num>{formatFixed(value, 2)}</Num> USDT{behind}
      </dd>
    </div>
  )
  const of = (limit: string) => (
    <span className={own.of}>
      {' '}
      {t('withdraw.limit.of', { limit: bidiIsolate(formatUsdt(limit)) })}
    </span>
  )
  return (
    <div className={own.aside}>
      <section className={styles.block}>
        <h2>{t('withdraw.free.title')}</h2>
        <dl className={styles.pairs}>
          {pair(t('withdraw.free.balance'), terms.balance)}
          {pair(
            t('withdraw.free.positions'),
            needed,
            isZeroSum(needed) ? undefined : t('withdraw.free.positions_note'),
          )}
          {pair(t('withdraw.free.available'), terms.available)}
          {!isZeroSum(terms.bonus) &&
            pair(t('withdraw.free.bonus'), terms.bonus, t('withdraw.free.bonus_note'))}
        </dl>
      </section>
      {terms.verified && (
        <section className={styles.block}>
          <h2>{t('withdraw.limit.title')}</h2>
          <dl className={styles.pairs}>
            {pair(t('withdraw.limit.day'), terms.dayLeft, undefined, of(terms.dayLimit))}
            {pair(t('withdraw.limit.month'), terms.monthLeft, undefined, of(terms.monthLimit))}
          </dl>
        </section>
      )}
    </div>
  )
}
