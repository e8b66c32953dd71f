import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import { ChoiceGroup } from '@/ui/choice-group'
import { Note } from '@/ui/note'
import { toast } from '@/ui/toast/toast-store'
import { insertRating } from '../api/kefu'
import { markRated } from '../model/chat'
import styles from './chat.module.css'

const ratings = ['1', '2', '3', '4', '5'] as const
type Rating = (typeof ratings)[number]

const LONGEST_WORDS = 1000

/** Rates the resolved conversation: a number with words, or a skip. Shown once. */
export function RatingForm() {
  const { t } = useTranslation()
  const id = useId()
  const [rating, setRating] = useState<Rating | ''>('')
  const [words, setWords] = useState('')
  const { mutate, isPending, error } = useMutation({
    mutationFn: insertRating,
    onSuccess: (_, body) => {
      if (body.rating > 0) toast.success(t('kefu.rating.thanks'))
      markRated()
    },
  })
  const comment = words.trim()
  return (
    <form
      className={styles.rating}
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ rating: Number(rating), ...(comment ? { comment } : {}) })
      }}
    >
      <ChoiceGroup<Rating | ''>
        label={t('kefu.rating.title')}
        value={rating}
        onChange={setRating}
        wraps
        options={ratings.map((value) => ({ value, label: t(`kefu.rating.${value}`) }))}
      />
      <label htmlFor={id}>{t('kefu.rating.words')}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={LONGEST_WORDS}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {error && <Note tone="error">{reasonOf(error).reason}</Note>}
      <div className={styles.acts}>
        <Button type="submit" variant="primary" disabled={rating === ''} busy={isPending}>
          {t('kefu.rating.send')}
        </Button>
        <Button disabled={isPending} onClick={() => mutate({ rating: 0 })}>
          {t('kefu.rating.skip')}
        </Button>
      </div>
    </form>
  )
}
