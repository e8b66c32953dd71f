import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { toast } from '@/ui/toast/toast-store'
import type { Withdrawal } from '../api/withdrawals'
import { useReplyWithdraw } from '../api/writes'
import own from './withdraw.module.css'

export type AnswerFormProps = { withdrawal: Withdrawal }

/** The server accepts 2,000 bytes, and a character has at most three. */
const LONGEST = 660

/** The trader's answer to a question of staff; the withdrawal then continues. */
export function AnswerForm({ withdrawal }: AnswerFormProps) {
  const { t } = useTranslation()
  const id = useId()
  const [answer, setAnswer] = useState('')
  const [missing, setMissing] = useState(false)
  const [checking, setChecking] = useState(false)
  const write = useReplyWithdraw(() => setChecking(true))

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    const text = answer.trim()
    setMissing(text === '')
    if (text === '') return
    write.mutate(
      { withdrawId: withdrawal.withdrawId, answer: text },
      {
        onSuccess: () => toast.success(t('withdraw.answer.done')),
        onSettled: () => setChecking(false),
      },
    )
  }

  return (
    <form className={styles.block} onSubmit={send} noValidate>
      <div className={own.answer}>
        <label htmlFor={id}>{t('withdraw.answer.label')}</label>
        <textarea
          id={id}
          dir="auto"
          maxLength={LONGEST}
          value={answer}
          aria-invalid={missing || undefined}
          aria-describedby={missing ? `${id}-problem` : undefined}
          onChange={(event) => {
            setAnswer(event.target.value)
            setMissing(false)
          }}
        />
        {missing && (
          <p id={`${id}-problem`} className={styles.problem} role="alert">
            {t('withdraw.answer.missing')}
          </p>
        )}
      </div>
      {write.error && <FailureNote error={write.error} />}
      <Button type="submit" variant="primary" size="large" block busy={write.isPending}>
        {t(checking ? 'deposit.checking' : 'withdraw.answer.send')}
      </Button>
    </form>
  )
}
