import ButtonBase from '@mui/material/ButtonBase'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { openChargeReceipt, openReceipt } from '@/features/receipt/model/open-receipt'
import { directionOf, formatAmount, formatFixed, formatSigned } from '@/format/amount'
import { useBalanceHidden } from '@/storage/balance-hidden'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'
import type { LedgerLine } from '../api/ledger'
import { scaleOf } from '../model/currencies'
import { type Cause, kindKey, readCause } from '../model/ledger-labels'
import styles from './ledger-list.module.css'
import { MoneyText } from './money-text'

export type LedgerRowProps = {
  line: LedgerLine
  /** The decimals of the list's amounts. */
  decimals: number
  /** The path of a cause; undefined if the screen doesn't exist. */
  pathOf: (cause: Cause) => string | undefined
  /** Shows a cause of the wallet over the page. */
  onOpen: (cause: Cause) => void
}

/** A ledger entry: kind, time, cause, signed amount with the exact one in its title, and what its bucket held after it. */
export function LedgerRow({ line, decimals, pathOf, onOpen }: LedgerRowProps) {
  const { t } = useTranslation()
  const cause = readCause(line.cause)
  const path = cause ? pathOf(cause) : undefined
  const causeName = cause ? t(`ledger.cause.${cause.of}`, { number: numberOf(cause) }) : undefined
  // The kind of the entry says what a number with a prefix belongs to.
  const short = cause !== null && cause.of in prefixes
  const causeText = short ? <Num>{numberOf(cause)}</Num> : causeName
  const causeLabel = short ? causeName : undefined
  const open = cause && wayTo(line, cause, onOpen)
  const direction = directionOf(line.amount, decimals)
  const exact = formatAmount(line.amount, scaleOf(line.currency))
  const hidden = useBalanceHidden((state) => state.hidden)
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
            <ButtonBase className={styles.cause} aria-label={causeLabel} onClick={open}>
              {causeText}
            </ButtonBase>
          ) : path ? (
            <Link to={path} className={styles.cause} aria-label={causeLabel}>
              {causeText}
            </Link>
          ) : (
            <span>{causeText}</span>
          ))}
        {line.reason && <span>{t(`ledger.reason.${line.reason}`)}</span>}
      </span>
      <span className={styles.amount} title={hidden ? undefined : `${exact} ${line.currency}`}>
        <MoneyText className={cx(direction)}>{formatSigned(line.amount, decimals)}</MoneyText>
      </span>
      {line.balanceAfter !== undefined && (
        <span className={styles.balance}>
          {t('ledger.balance')} <MoneyText>{formatFixed(line.balanceAfter, decimals)}</MoneyText>
        </span>
      )}
    </li>
  )
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
