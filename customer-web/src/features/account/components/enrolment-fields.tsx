import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CheckField } from '@/ui/form/check-field'
import styles from '@/ui/form/form.module.css'
import { FormField } from '@/ui/form/form-field'
import { TextField } from '@/ui/form/text-field'
import { useCountries } from '../api/countries'
import type { EnrolmentControl } from '../model/enrolment'
import { CountryField } from './country-field'

export type EnrolmentFieldsProps = {
  control: EnrolmentControl
  /** The path of the terms and the risk warning, if that screen exists. */
  termsPath?: string | undefined
}

/** Country, invitation code, and the two checkboxes required by law. */
export function EnrolmentFields({ control, termsPath }: EnrolmentFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <FormField control={control} name="country">
        {(field) => <CountryField label={t('session.country')} useList={useCountries} {...field} />}
      </FormField>
      <FormField control={control} name="invitationCode">
        {(field) => (
          <TextField
            label={t('register.invitation')}
            optional
            autoComplete="off"
            ltr
            maxLength={32}
            {...field}
          />
        )}
      </FormField>
      <div className={styles.boxes}>
        <FormField control={control} name="adult">
          {({ value, ...field }) => (
            <CheckField checked={value} {...field}>
              {t('register.adult')}
            </CheckField>
          )}
        </FormField>
        <FormField control={control} name="terms">
          {({ value, ...field }) => (
            <CheckField checked={value} {...field}>
              {t('register.terms')}{' '}
              {termsPath && <Link to={termsPath}>{t('register.terms.read')}</Link>}
            </CheckField>
          )}
        </FormField>
      </div>
    </>
  )
}
