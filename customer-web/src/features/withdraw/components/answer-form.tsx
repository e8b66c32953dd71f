import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minLength, object, string, trim } from 'zod/mini'
import styles from '@/ui/block.module.css'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { FormField } from '@/ui/form/form-field'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { toast } from '@/ui/toast/toast-store'
import type { Withdrawal } from '../api/withdrawals'
import { useReplyWithdraw } from '../api/writes'

export type AnswerFormProps = { withdrawal: Withdrawal }

/** The server accepts 2,000 bytes, and a character has at most three. */
const LONGEST = 660

const schema = object({ answer: string().check(trim(), minLength(1, 'withdraw.answer.missing')) })

/** The trader's answer to a question of staff; the withdrawal then continues. */
export function AnswerForm({ withdrawal }: AnswerFormProps) {
  const { t } = useTranslation()
  const form = useSchemaForm(schema, { answer: '' })
  const [checking, setChecking] = useState(false)
  const write = useReplyWithdraw(() => setChecking(true))

  const send = form.handleSubmit(({ answer }) => {
    if (write.isPending) return
    write.mutate(
      { withdrawId: withdrawal.withdrawId, answer },
      {
        onSuccess: () => toast.success(t('withdraw.answer.done')),
        onSettled: () => setChecking(false),
      },
    )
  })

  return (
    <form className={styles.block} onSubmit={send} noValidate>
      <FormField control={form.control} name="answer">
        {(field) => (
          <TextField
            label={t('withdraw.answer.label')}
            autoComplete="off"
            rows={4}
            maxLength={LONGEST}
            {...field}
          />
        )}
      </FormField>
      {write.error && <FailureNote error={write.error} />}
      <Button type="submit" variant="primary" size="large" block busy={write.isPending}>
        {t(checking ? 'deposit.checking' : 'withdraw.answer.send')}
      </Button>
    </form>
  )
}
