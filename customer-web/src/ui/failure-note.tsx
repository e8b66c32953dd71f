import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { reasonOf } from '@/api/reason'
import { Note } from './note'

export type FailureNoteProps = {
  error: unknown
  /** Replaces the general text of the refusal. */
  children?: ReactNode
}

/** The reason a write failed. If the outcome is unknown, it says so and that pressing again is safe. */
export function FailureNote({ error, children }: FailureNoteProps) {
  const { t } = useTranslation()
  const said = error instanceof CallFailure && error.code !== undefined
  if (isOutcomeUnknown(error) && !said) return <Note tone="warning">{t('deposit.unanswered')}</Note>
  return <Note tone="error">{children || reasonOf(error).reason}</Note>
}
