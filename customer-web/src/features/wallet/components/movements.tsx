import { useState } from 'react'
import type { LedgerLine } from '../api/ledger'
import type { Cause } from '../model/ledger-labels'
import { CauseSheet } from './cause-sheet'
import styles from './ledger-list.module.css'
import { LedgerRow, type LedgerRowProps } from './ledger-row'

export type MovementsProps = Pick<LedgerRowProps, 'pathOf'> & { lines: readonly LedgerLine[] }

/** Ledger entries; a transfer or a conversion opens over the page. */
export function Movements({ lines, pathOf }: MovementsProps) {
  const [cause, setCause] = useState<Cause | null>(null)
  return (
    <>
      <ul className={styles.list}>
        {lines.map((line) => (
          <LedgerRow key={line.id} line={line} pathOf={pathOf} onOpen={setCause} />
        ))}
      </ul>
      {(cause?.of === 'transfer' || cause?.of === 'exchange') && (
        <CauseSheet of={cause.of} id={cause.id} onClose={() => setCause(null)} />
      )}
    </>
  )
}
