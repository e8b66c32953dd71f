import { useTranslation } from 'react-i18next'
import { formatAmount } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatDateTime } from '@/format/time'
import { useTimeStyle } from '@/ui/time-text'
import type { Bonus, BonusOffer } from '../api/bonus'
import styles from './bonus.module.css'

/** What the terms of a bonus depend on. */
export type BonusFacts = Pick<BonusOffer, 'amount' | 'days' | 'until' | 'share' | 'minimum'> & {
  rule: Bonus['rule']
}

/** The numbers of a bonus as its texts write them. */
export function useBonusWords({ amount, days, until, share, minimum }: BonusFacts) {
  const timeStyle = useTimeStyle()
  return {
    amount: bidiIsolate(formatAmount(amount)),
    days: bidiIsolate(String(days)),
    until: bidiIsolate(formatDateTime(until, timeStyle)),
    share: bidiIsolate(formatAmount(share ?? '0')),
    minimum: bidiIsolate(formatAmount(minimum ?? '0')),
  }
}

/** The version of the terms below; a changed text is a new version, here and on the server. */
export const BONUS_TERMS = 1

/** A bonus that lives longer than this many days is announced before it expires. */
const ANNOUNCED_DAYS = 7

/** The terms of a bonus, in full. */
export function BonusTerms({ bonus }: { bonus: BonusFacts }) {
  const { t } = useTranslation()
  const words = useBonusWords(bonus)
  const deposit = bonus.rule === 'deposit'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll it where it does not fit
    <div className={styles.terms} tabIndex={0}>
      <ul>
        <li>{deposit ? t('bonus.terms.deposit', words) : t('bonus.terms.amount', words)}</li>
        <li>{t('bonus.terms.credit')}</li>
        <li>{t('bonus.terms.margin')}</li>
        <li>{t('bonus.terms.losses')}</li>
        <li>{t('bonus.terms.profit')}</li>
        <li>
          {t('bonus.terms.expiry', words)}
          {bonus.days > ANNOUNCED_DAYS && ` ${t('bonus.terms.warning')}`}
        </li>
        {deposit && <li>{t('bonus.terms.reversed')}</li>}
        {bonus.rule !== 'gift' && <li>{t('bonus.terms.person')}</li>}
        <li>{t('bonus.terms.give_up')}</li>
      </ul>
      <p className={styles.small}>
        {t('bonus.terms.version', { version: bidiIsolate(String(BONUS_TERMS)) })}
      </p>
    </div>
  )
}
