import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { object, enum as oneOf, pipe, string, transform, trim } from 'zod/mini'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { FormField } from '@/ui/form/form-field'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { Note } from '@/ui/note'
import { toast } from '@/ui/toast/toast-store'
import { insertRating } from '../api/kefu'
import { markRated } from '../model/chat'
import styles from './chat.module.css'

const ratings = ['1', '2', '3', '4', '5'] as const

const LONGEST_WORDS = 1000

const schema = object({
  rating: pipe(oneOf(ratings), transform(Number)),
  comment: string().check(trim()),
})

/** Rates the resolved conversation: a number with words, or a skip. Shown once. */
export function RatingForm() {
  const { t } = useTranslation()
  const form = useSchemaForm(schema, { comment: '' })
  const { mutate, isPending, error } = useMutation({
    mutationFn: insertRating,
    onSuccess: (_, body) => {
      if (body.rating > 0) toast.success(t('kefu.rating.thanks'))
      markRated()
    },
  })
  const submit = form.handleSubmit(({ rating, comment }) =>
    mutate({ rating, ...(comment ? { comment } : {}) }),
  )
  return (
    <form className={styles.rating} onSubmit={submit}>
      <FormField control={form.control} name="rating">
        {(field) => (
          <ChoiceGroup
            label={t('kefu.rating.title')}
            wraps
            options={ratings.map((value) => ({ value, label: t(`kefu.rating.${value}`) }))}
            {...field}
          />
        )}
      </FormField>
      <FormField control={form.control} name="comment">
        {(field) => (
          <TextField
            label={t('kefu.rating.words')}
            autoComplete="off"
            rows={2}
            maxLength={LONGEST_WORDS}
            {...field}
          />
        )}
      </FormField>
      {error && <Note tone="error">{reasonOf(error).reason}</Note>}
      <div className={styles.acts}>
        <Button
          type="submit"
          variant="primary"
          disabled={form.watch('rating') === undefined}
          busy={isPending}
        >
          {t('kefu.rating.send')}
        </Button>
        <Button disabled={isPending} onClick={() => mutate({ rating: 0 })}>
          {t('kefu.rating.skip')}
        </Button>
      </div>
    </form>
  )
}
