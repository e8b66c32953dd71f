import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { directionOf, formatAmount } from '@/format/amount'
import { cx } from '@/ui/cx'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { LedgerLine } from '../api/ledger'
import { type Cause, kindKey, readCause } from '../model/ledger-words'
import styles from './ledger-list.module.css'
import { MoneyText } from './money-text'

export type LedgerRowProps = {
  line: LedgerLine
  /** Where a cause is shown; undefined where there is no such screen. */
  pathOf: (cause: Cause) => string | undefined
}

/** One entry: what it was, when and for what, and its amount with its sign. */
export function LedgerRow({ line, pathOf }: LedgerRowProps) {
  const { t } = useTranslation()
  const cause = readCause(line.cause)
  const path = cause ? pathOf(cause) : undefined
  const causeText = cause && t(`ledger.cause.${cause.of}`, { number: numberOf(cause) })
  const direction = directionOf(line.amount)
  return (
    <li className={styles.row}>
      <span className={styles.kind}>
        {t(kindKey(line.kind))}
        {line.bucket !== 'cash' && (
          <Tag tone={line.bucket === 'deficit' ? 'warning' : 'neutral'}>
            {t(`ledger.bucket.${line.bucket}`)}
          </Tag>
        )}
      </span>
      <span className={styles.sub}>
        <TimeText at={line.time} shape="dateTimeSeconds" />
        {causeText &&
          (path ? (
            <Link to={path} className={styles.cause}>
              {causeText}
            </Link>
          ) : (
            <span>{causeText}</span>
          ))}
        {line.reason && <span>{t(`ledger.reason.${line.reason}`)}</span>}
      </span>
      <span className={styles.amount}>
        <MoneyText className={cx(direction)}>
          {direction === 'up' ? `+${formatAmount(line.amount)}` : formatAmount(line.amount)}
        </MoneyText>
      </span>
    </li>
  )
}

function numberOf({ of, id }: Cause): string {
  if (of === 'deposit') return `DP-${id}`
  if (of === 'adjustment') return `AD-${id}`
  return of === 'withdrawal' ? `WD-${id}` : String(id)
}
