import { useTranslation } from 'react-i18next'
import { serverNow } from '@/api/request-headers'
import { dayOf } from '@/format/days'
import { DateField } from '@/ui/form/date-field'
import { FormField } from '@/ui/form/form-field'
import { TextField } from '@/ui/form/text-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import {
  ADULT_YEARS,
  dataOf,
  dataSchema,
  FIRST_DAY,
  LAST_DAY,
  lastBirthDay,
  MAX_NAME_LENGTH,
  MAX_NUMBER_LENGTH,
} from '../model/data'
import { useSaveStep } from '../model/use-save-step'
import type { StepProps } from './country-step'
import styles from './identity.module.css'
import { StepForm } from './step-form'

/** The data of the document: name, number and two dates. */
export function DataStep({ identity, onDone }: StepProps) {
  const { t } = useTranslation()
  const today = dayOf(serverNow(), 'utc')
  const form = useSchemaForm(dataSchema(today), dataOf(identity))
  const { control } = form
  const step = useSaveStep(form, onDone)

  return (
    <StepForm
      title={t('identity.data.title')}
      text={t('identity.data.text')}
      action={t('identity.continue')}
      {...step}
    >
      <div className={styles.fields}>
        <FormField control={control} name="fullName">
          {(field) => (
            <TextField
              label={t('identity.data.full_name')}
              autoComplete="name"
              maxLength={MAX_NAME_LENGTH}
              hint={t('identity.data.full_name_hint')}
              {...field}
            />
          )}
        </FormField>
        <FormField control={control} name="number">
          {(field) => (
            <TextField
              label={t('identity.data.number')}
              autoComplete="off"
              ltr
              maxLength={MAX_NUMBER_LENGTH}
              {...field}
            />
          )}
        </FormField>
        <div className={styles.dates}>
          <FormField control={control} name="birthDate" args={{ years: ADULT_YEARS }}>
            {(field) => (
              <DateField
                label={t('identity.data.birth_date')}
                min={FIRST_DAY}
                max={lastBirthDay(today)}
                {...field}
              />
            )}
          </FormField>
          <FormField control={control} name="expiryDate">
            {(field) => (
              <DateField
                label={t('identity.data.expiry_date')}
                min={today}
                max={LAST_DAY}
                {...field}
              />
            )}
          </FormField>
        </div>
      </div>
    </StepForm>
  )
}
