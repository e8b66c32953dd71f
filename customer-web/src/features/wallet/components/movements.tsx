import { useState } from 'react'
import { decimalsOf } from '@/format/column'
import type { LedgerLine } from '../api/ledger'
import type { Cause } from '../model/ledger-labels'
import { CauseSheet } from './cause-sheet'
import styles from './ledger-list.module.css'
import { LedgerRow, type LedgerRowProps } from './ledger-row'

export type MovementsProps = Pick<LedgerRowProps, 'pathOf'> & { lines: readonly LedgerLine[] }

/** Entries of an account; a transfer or a conversion opens over the page. */
export function Movements({ lines, pathOf }: MovementsProps) {
  const [cause, setCause] = useState<Cause | null>(null)
  const decimals = decimalsOf(
    lines[0]?.currency ?? 'USDT',
    lines.flatMap(({ amount, balanceAfter }) => [amount, balanceAfter]),
  )
  return (
    <>
      <ul className={styles.list}>
        {lines.map((line) => (
          <LedgerRow
            key={line.id}
            line={line}
            decimals={decimals}
            pathOf={pathOf}
            onOpen={setCause}
          />
        ))}
      </ul>
      {(cause?.of === 'transfer' || cause?.of === 'exchange') && (
        <CauseSheet of={cause.of} id={cause.id} onClose={() => setCause(null)} />
      )}
    </>
  )
}
