import { useTranslation } from 'react-i18next'
import { maxLength, minLength, object, string, trim } from 'zod/mini'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'
import { FormField } from '@/ui/form/form-field'
import { showRefusal } from '@/ui/form/show-refusal'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { toast } from '@/ui/toast/toast-store'
import { useAppeal } from '../api/score'
import styles from './score.module.css'

const SHORTEST = 10
const LONGEST = 1000
const schema = object({
  text: string().check(
    trim(),
    minLength(SHORTEST, 'field.length'),
    maxLength(LONGEST, 'field.length'),
  ),
})

export type AppealFormProps = { flagId: number; onCancel: () => void }

/** What the trader says about a flag; sent once. */
export function AppealForm({ flagId, onCancel }: AppealFormProps) {
  const { t } = useTranslation()
  const form = useSchemaForm(schema, { text: '' })
  const appeal = useAppeal()
  const submit = form.handleSubmit(async ({ text }) => {
    try {
      await appeal.mutateAsync({ flagId, text })
      toast.success(t('score.appeal.sent'))
    } catch (error) {
      showRefusal(form, error)
    }
  })
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <FormField control={form.control} name="text">
        {(field) => (
          <TextField
            label={t('score.appeal.text')}
            hint={t('score.appeal.hint')}
            autoComplete="off"
            rows={4}
            maxLength={LONGEST}
            autoFocus
            {...field}
          />
        )}
      </FormField>
      {appeal.error && <FailureNote error={appeal.error} />}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" busy={form.formState.isSubmitting}>
          {t('score.appeal.send')}
        </Button>
        <Button variant="text" onClick={onCancel}>
          {t('score.appeal.cancel')}
        </Button>
      </div>
    </form>
  )
}
