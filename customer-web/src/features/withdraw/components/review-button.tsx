import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatDateTime } from '@/format/time'
import { Button } from '@/ui/button'
import { Note } from '@/ui/note'
import { useTimeStyle } from '@/ui/time-text'
import { useTimeLeft } from '@/ui/use-time-left'
import { refreshWithdrawals, type WithdrawalTerms } from '../api/withdrawals'

export type ReviewButtonProps = {
  terms: Pick<WithdrawalTerms, 'heldUntil' | 'heldReason'>
  disabled: boolean
}

/** Leads to the review; while withdrawals are locked it says until when, and why. */
export function ReviewButton({ terms: { heldUntil, heldReason }, disabled }: ReviewButtonProps) {
  const { t } = useTranslation()
  if (heldUntil !== undefined && heldReason) return <Locked until={heldUntil} reason={heldReason} />
  return (
    <Button type="submit" variant="primary" size="large" block disabled={disabled}>
      {t('withdraw.next')}
    </Button>
  )
}

type LockedProps = { until: number; reason: NonNullable<WithdrawalTerms['heldReason']> }

/** When the lock has ended, the terms are refetched. */
function Locked({ until, reason }: LockedProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const style = useTimeStyle()
  const id = useId()
  const over = useTimeLeft(until) === 0
  useEffect(() => {
    if (over) void refreshWithdrawals(client)
  }, [over, client])
  return (
    <>
      <div id={id}>
        <Note tone="warning">
          {t('withdraw.held.note', { reason: t(`security.hold.reason.${reason}`) })}
        </Note>
      </div>
      <Button variant="primary" size="large" block disabled aria-describedby={id}>
        {t('withdraw.held.submit', { time: bidiIsolate(formatDateTime(until, style)) })}
      </Button>
    </>
  )
}
