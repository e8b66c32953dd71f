import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Contact } from '@/features/account/model/contact'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatDateTime } from '@/format/time'
import { withDots } from '@/storage/mask-name'
import { Button } from '@/ui/button'
import styles from '@/ui/form/form.module.css'
import { Note } from '@/ui/note'
import { StatusHead } from '@/ui/status-head'
import { useTimeStyle } from '@/ui/time-text'
import type { Security } from '../api/security'

export type ContactChangedProps = {
  kind: Contact['kind']
  /** After the change. */
  security: Security
  backPath: string
}

/** The contact was bound: the new one, who was told, and until when withdrawals are on hold. */
export function ContactChanged({ kind, security, backPath }: ContactChangedProps) {
  const { t } = useTranslation()
  const style = useTimeStyle()
  const message = useRef<HTMLDivElement>(null)
  // The focused button is gone with the form.
  useEffect(() => message.current?.focus(), [])
  const contact = bidiIsolate(withDots(kind === 'mail' ? security.mail : security.phone))
  const until = security.moneyOutHeldUntil
  return (
    <div className={styles.form}>
      <div ref={message} role="status" tabIndex={-1} className={styles.message}>
        <StatusHead tone="success" icon="check" title={t(`contact.done.${kind}`)}>
          {t('contact.done.told', { contact })}
        </StatusHead>
        {until !== undefined && (
          <Note tone="warning">
            {t('contact.done.hold', { time: bidiIsolate(formatDateTime(until, style)) })}
          </Note>
        )}
      </div>
      <Button variant="primary" size="large" block to={backPath}>
        {t('contact.done.back')}
      </Button>
    </div>
  )
}
