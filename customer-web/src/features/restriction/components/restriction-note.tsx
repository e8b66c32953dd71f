import { useTranslation } from 'react-i18next'
import { Note } from '@/ui/note'
import { TimeText } from '@/ui/time-text'
import type { Restriction } from '../api/restrictions'

export type RestrictionNoteProps = {
  restriction: Restriction
  /** `error` is announced, because it answers the trader's last action. */
  tone?: 'warning' | 'error'
}

/** What is restricted, why, until when, and what stays possible. */
export function RestrictionNote({ restriction, tone = 'warning' }: RestrictionNoteProps) {
  const { t } = useTranslation()
  const { kind, reason, until } = restriction
  return (
    <Note tone={tone}>
      <strong>{t(`restriction.${kind}`)}</strong>
      <p>{t(`restriction.reason.${reason}`)}</p>
      <p>
        {until === undefined ? (
          t('restriction.open')
        ) : (
          <>
            {t('restriction.until')} <TimeText at={until} />
          </>
        )}
      </p>
      <p>{t(`restriction.${kind}.text`)}</p>
    </Note>
  )
}
