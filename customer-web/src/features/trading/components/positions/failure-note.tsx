import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { reasonOf } from '@/api/reason'
import { Note } from '@/ui/note'
import { Num } from '@/ui/num'
import styles from './position-sheets.module.css'

export type FailureNoteProps = { error: unknown }

/** The refusal of an action on a position, with the trace id, shown in its sheet. */
export function FailureNote({ error }: FailureNoteProps) {
  const { t } = useTranslation()
  if (isOutcomeUnknown(error)) return <Note tone="warning">{t('position.unanswered')}</Note>
  const { reason, traceId } = reasonOf(error)
  return (
    <Note tone="error">
      {reason}
      {traceId && (
        <span className={styles.reference}>
          {t('ui.reference')} <Num>{traceId}</Num>
        </span>
      )}
    </Note>
  )
}
