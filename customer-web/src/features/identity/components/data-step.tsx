import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { serverNow } from '@/api/request-headers'
import { dayOf } from '@/format/days'
import { DateField } from '@/ui/form/date-field'
import { problemText } from '@/ui/form/problems'
import { TextField } from '@/ui/form/text-field'
import { useSaveDraft } from '../api/identity'
import {
  ADULT_YEARS,
  type Data,
  type DataField,
  dataFields,
  dataLabels,
  dataOf,
  dataProblems,
  FIRST_DAY,
  LAST_DAY,
  lastBirthDay,
  MAX_NAME_LENGTH,
  MAX_NUMBER_LENGTH,
  trimmed,
} from '../model/data'
import type { StepProps } from './country-step'
import styles from './identity.module.css'
import { StepForm } from './step-form'

/** The data of the document: name, number and two dates. */
export function DataStep({ identity, onDone }: StepProps) {
  const { t } = useTranslation()
  const save = useSaveDraft()
  const box = useRef<HTMLDivElement>(null)
  const [data, setData] = useState(() => dataOf(identity))
  const [judged, setJudged] = useState<readonly DataField[]>([])
  const today = dayOf(serverNow(), 'utc')
  const failure = save.error
  const refused = failure instanceof CallFailure ? failure.fields : {}
  const found = dataProblems(trimmed(data), today)

  const problemOf = (field: DataField): string | undefined => {
    const key = judged.includes(field) ? (found[field] ?? refused[field]) : undefined
    return key === 'identity.data.age'
      ? t('identity.data.age', { years: ADULT_YEARS })
      : problemText(key)
  }

  const submit = () => {
    setJudged(dataFields)
    const bad = dataFields.find((field) => found[field])
    if (bad) {
      box.current?.querySelector<HTMLElement>(`[name="${bad}"]`)?.focus()
      return
    }
    save.mutate(trimmed(data), { onSuccess: onDone })
  }

  const field = (name: keyof Data) => ({
    name,
    label: t(dataLabels[name]),
    value: data[name],
    error: problemOf(name),
    onChange: (value: string) => {
      setData({ ...data, [name]: value })
      setJudged(judged.filter((one) => one !== name))
      if (failure) save.reset()
    },
  })

  return (
    <StepForm
      title={t('identity.data.title')}
      text={t('identity.data.text')}
      failure={Object.keys(refused).length > 0 ? null : failure}
      action={t('identity.continue')}
      busy={save.isPending}
      onSubmit={submit}
    >
      <div ref={box} className={styles.fields}>
        <TextField
          {...field('fullName')}
          autoComplete="name"
          maxLength={MAX_NAME_LENGTH}
          hint={t('identity.data.full_name_hint')}
        />
        <TextField {...field('number')} autoComplete="off" ltr maxLength={MAX_NUMBER_LENGTH} />
        <div className={styles.dates}>
          <DateField {...field('birthDate')} min={FIRST_DAY} max={lastBirthDay(today)} />
          <DateField {...field('expiryDate')} min={today} max={LAST_DAY} />
        </div>
      </div>
    </StepForm>
  )
}
