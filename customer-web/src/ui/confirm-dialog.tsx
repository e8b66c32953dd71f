import type { ReactNode } from 'react'
import { Button } from './button'
import styles from './confirm-dialog.module.css'
import { Sheet } from './sheet/sheet'

export type ConfirmLine = { label: ReactNode; value?: ReactNode }

export type ConfirmDialogProps = {
  open: boolean
  /** A question: "Close 5 positions?" */
  title: string
  /** Text in addition to the lines. */
  text?: ReactNode
  /** What will happen, line by line. */
  lines?: readonly ConfirmLine[]
  /** The label of the safe choice, which comes first. */
  safeLabel: string
  /** The label of the action, never "OK". */
  confirmLabel: string
  danger?: boolean
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Confirms an action that is hard to undo: says exactly what will happen, with the safe choice first. */
export function ConfirmDialog({
  open,
  title,
  text,
  lines = [],
  safeLabel,
  confirmLabel,
  danger = false,
  busy = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Sheet
      open={open}
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={busy}>
            {safeLabel}
          </Button>
          <Button
            size="large"
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {text && <div className={styles.text}>{text}</div>}
      {lines.length > 0 && (
        <ul className={styles.lines}>
          {lines.map(({ label, value }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is shown
            <li key={index}>
              <span>{label}</span>
              <span>{value}</span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}
