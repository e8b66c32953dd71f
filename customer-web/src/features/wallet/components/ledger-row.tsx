import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { openChargeReceipt, openReceipt } from '@/features/receipt/model/open-receipt'
import { directionOf, formatAmount, formatFixed } from '@/format/amount'
import { decimalsOf } from '@/format/column'
import { cx } from '@/ui/cx'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { LedgerLine } from '../api/ledger'
import { scaleOf } from '../model/currencies'
import { type Cause, kindKey, readCause } from '../model/ledger-labels'
import styles from './ledger-list.module.css'
import { MoneyText } from './money-text'

export type LedgerRowProps = {
  line: LedgerLine
  /** The path of a cause; undefined if the screen doesn't exist. */
  pathOf: (cause: Cause) => string | undefined
  /** Shows a cause of the wallet over the page. */
  onOpen: (cause: Cause) => void
}

/** A ledger entry: kind, time, cause, signed amount, and what its bucket held after it. */
export function LedgerRow({ line, pathOf, onOpen }: LedgerRowProps) {
  const { t } = useTranslation()
  const cause = readCause(line.cause)
  const path = cause ? pathOf(cause) : undefined
  const causeText = cause && t(`ledger.cause.${cause.of}`, { number: numberOf(cause) })
  const open = cause && wayTo(line, cause, onOpen)
  const direction = directionOf(line.amount, scaleOf(line.currency))
  // Exact, with two decimals at least.
  const amount = formatFixed(line.amount, decimalsOf([line.amount]))
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
          (open ? (
            <ButtonBase className={styles.cause} onClick={open}>
              {causeText}
            </ButtonBase>
          ) : path ? (
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
          {direction === 'up' ? `+${amount}` : amount}
        </MoneyText>
      </span>
      {line.balanceAfter !== undefined && (
        <span className={styles.balance}>
          {t('ledger.balance')} <MoneyText>{balanceOf(line.balanceAfter, line.currency)}</MoneyText>
        </span>
      )}
    </li>
  )
}

/** A balance in whole cents; coins in all their decimals. */
function balanceOf(balance: string, currency: string): string {
  return currency.startsWith('USD')
    ? formatFixed(balance, 2)
    : formatAmount(balance, scaleOf(currency))
}

/**
 * The handler that shows a cause over the page: the receipt of a fill, a transfer or an exchange; undefined if it
 * has its own page or none.
 */
function wayTo(
  { fillId, chargeId }: LedgerLine,
  cause: Cause,
  onOpen: (cause: Cause) => void,
): (() => void) | undefined {
  if (fillId !== undefined) return () => openReceipt(fillId)
  if (chargeId !== undefined) return () => openChargeReceipt(chargeId)
  return cause.of === 'transfer' || cause.of === 'exchange' ? () => onOpen(cause) : undefined
}

const prefixes: Partial<Record<Cause['of'], string>> = {
  deposit: 'DP-',
  withdrawal: 'WD-',
  transfer: 'TR-',
  exchange: 'EX-',
  adjustment: 'AD-',
}

function numberOf({ of, id }: Cause): string {
  return `${prefixes[of] ?? ''}${id}`
}
