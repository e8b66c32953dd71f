import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { CODE_LENGTH } from '@/ui/form/code-digits'
import { CodeField } from '@/ui/form/code-field'
import { failureText, problemText, retryAfterSeconds, toFailure } from '@/ui/form/problems'
import { useCountdown } from '@/ui/form/use-countdown'
import { Note } from '@/ui/note'
import { Sheet } from '@/ui/sheet/sheet'
import { freezeAccount, sendFreezeCode } from '../api/security'
import styles from './security.module.css'

export type FreezeSheetProps = {
  /** The account is frozen and this session has ended. */
  onDone: () => void
  onClose: () => void
}

/** Explains what freezing means, and asks for a code. */
export function FreezeSheet({ onDone, onClose }: FreezeSheetProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const resend = useCountdown()
  const send = useMutation({
    mutationFn: sendFreezeCode,
    onSuccess: ({ resendAfter }) => resend.start(resendAfter),
    onError: (error) => {
      if (toFailure(error).code === 'code.too_soon')
        resend.start(retryAfterSeconds(toFailure(error)))
    },
  })
  const freeze = useMutation({ mutationFn: () => freezeAccount(code), onSuccess: onDone })
  const failed = freeze.error ?? send.error

  const confirm = () => {
    setMissing(code.length < CODE_LENGTH)
    if (code.length === CODE_LENGTH) freeze.mutate()
  }

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
          <Button size="large" variant="danger" busy={freeze.isPending} onClick={confirm}>
            {t('security.freeze.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles.sheet}>
        <p>{t('security.freeze.text')}</p>
        <CodeField
          value={code}
          onChange={setCode}
          again={send.data !== undefined}
          wait={resend.left}
          sending={send.isPending}
          onSend={() => send.mutate()}
          error={missing ? problemText('field.code') : undefined}
          hint={
            send.data
              ? t('session.code.sent', { minutes: Math.round(send.data.expiresAfter / 60) })
              : undefined
          }
        />
        {failed && <Note tone="error">{failureText(toFailure(failed))}</Note>}
      </div>
    </Sheet>
  )
}
