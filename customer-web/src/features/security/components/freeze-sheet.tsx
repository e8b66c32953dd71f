import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { object } from 'zod/mini'
import { Button } from '@/ui/button'
import { fullCode } from '@/ui/form/code-digits'
import { CodeField } from '@/ui/form/code-field'
import { FormField } from '@/ui/form/form-field'
import { failureText, retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { freezeAccount, sendFreezeCode } from '../api/security'
import { ContactFirstSheet } from './contact-first-sheet'
import styles from './security.module.css'

export type FreezeSheetProps = {
  /** The account is frozen and this session has ended. */
  onDone: () => void
  onClose: () => void
}

const schema = object({ validCode: fullCode })

/** Explains what freezing means, and asks for a code. */
export function FreezeSheet(props: FreezeSheetProps) {
  const { t } = useTranslation()
  return (
    <ContactFirstSheet title={t('security.freeze.title')} onClose={props.onClose}>
      <CodeSheet {...props} />
    </ContactFirstSheet>
  )
}

function CodeSheet({ onDone, onClose }: FreezeSheetProps) {
  const { t } = useTranslation()
  const formId = useId()
  const form = useSchemaForm(schema, { validCode: '' })
  const resend = useCountdown()
  const send = useMutation({
    mutationFn: sendFreezeCode,
    onSuccess: ({ resendAfter }) => resend.start(resendAfter),
    onError: (error) => {
      if (toFailure(error).code === 'code.too_soon')
        resend.start(retryAfterSeconds(toFailure(error)))
    },
  })
  const freeze = useMutation({ mutationFn: freezeAccount, onSuccess: onDone })
  const failed = freeze.error ?? send.error

  const confirm = form.handleSubmit(({ validCode }) => {
    if (!freeze.isPending) freeze.mutate(validCode)
  })

  return (
    <Sheet
      open
      title={t('security.freeze.title')}
      onClose={onClose}
      footer={
        <>
          <Button size="large" onClick={onClose} disabled={freeze.isPending}>
            {t('security.freeze.keep')}
          </Button>
          <Button type="submit" form={formId} size="large" variant="danger" busy={freeze.isPending}>
            {t('security.freeze.confirm')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.sheet} noValidate onSubmit={confirm}>
        <p>{t('security.freeze.text')}</p>
        <FormField control={form.control} name="validCode">
          {(field) => (
            <CodeField
              again={send.data !== undefined}
              wait={resend.left}
              sending={send.isPending}
              onSend={() => send.mutate()}
              hint={
                send.data
                  ? t('session.code.sent', { minutes: Math.round(send.data.expiresAfter / 60) })
                  : undefined
              }
              {...field}
            />
          )}
        </FormField>
        {failed && <Note tone="error">{failureText(toFailure(failed))}</Note>}
      </form>
    </Sheet>
  )
}
