import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolateAuto } from '@/format/bidi-isolate'
import { formatDateTime } from '@/format/time'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { useTimeStyle } from '@/ui/time-text'
import { useTimeLeft } from '@/ui/use-time-left'
import { refreshWithdrawals, type WithdrawalTerms } from '../api/withdrawals'

export type LockNoteProps = {
  id: string
  reason: NonNullable<WithdrawalTerms['heldReason']>
}

/** Why withdrawals are locked. */
export function LockNote({ id, reason }: LockNoteProps) {
  const { t } = useTranslation()
  return (
    <div id={id}>
      <Note tone="warning">
        {t('withdraw.held.note', { reason: t(`security.hold.reason.${reason}`) })}
      </Note>
    </div>
  )
}

export type ReviewButtonProps = {
  /** When the lock ends; undefined without one. */
  lockedUntil: number | undefined
  /** The id of the lock's note. */
  noteId: string
  disabled: boolean
}

/** Leads to the review; while withdrawals are locked it says until when. */
export function ReviewButton({ lockedUntil, noteId, disabled }: ReviewButtonProps) {
  const { t } = useTranslation()
  if (lockedUntil !== undefined) return <Locked until={lockedUntil} noteId={noteId} />
  return (
    <Button type="submit" variant="primary" size="large" block disabled={disabled}>
      {t('withdraw.next')}
    </Button>
  )
}

/** When the lock has ended, the terms are refetched. */
function Locked({ until, noteId }: { until: number; noteId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const style = useTimeStyle()
  const over = useTimeLeft(until) === 0
  useEffect(() => {
    if (over) void refreshWithdrawals(client)
  }, [over, client])
  return (
    <Button variant="primary" size="large" block disabled aria-describedby={noteId}>
      {t('withdraw.held.submit', { time: bidiIsolateAuto(formatDateTime(until, style)) })}
    </Button>
  )
}
