import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { minLength, object, overwrite, pipe, string, transform } from 'zod/mini'
import { CountryField } from '@/features/account/components/country-field'
import { userInfoQuery } from '@/session/info-query'
import { FormField } from '@/ui/form/form-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { type Identity, useIdentityCountries } from '../api/identity'
import { useSaveStep } from '../model/use-save-step'
import { StepForm } from './step-form'

export type StepProps = {
  identity: Identity
  /** The step is saved. */
  onDone: (identity: Identity) => void
}

/** The country that issued the document. */
export function CountryStep({ identity, onDone }: StepProps) {
  const { t } = useTranslation()
  const countries = useIdentityCountries().data
  const home = useQuery(userInfoQuery).data?.country
  const suggested = countries?.find(({ country }) => country === home)?.country ?? ''

  /** Another country may not accept the document type chosen before. */
  const withType = ({ country }: { country: string }) => {
    const types = countries?.find((one) => one.country === country)?.documentTypes
    const { documentType } = identity
    const lost = documentType && types && !types.includes(documentType)
    return { country, ...(lost ? { documentType: '' } : {}) }
  }
  const country = string().check(
    overwrite((chosen) => chosen || suggested),
    minLength(1, 'field.required'),
  )
  const schema = pipe(object({ country }), transform(withType))
  const form = useSchemaForm(schema, { country: identity.country ?? '' })
  const step = useSaveStep(form, onDone)

  return (
    <StepForm
      title={t('identity.country.title')}
      text={t('identity.country.text')}
      action={t('identity.continue')}
      {...step}
    >
      <FormField control={form.control} name="country">
        {({ value, ...field }) => (
          <CountryField
            label={t('identity.country.label')}
            useList={useIdentityCountries}
            value={value || suggested}
            {...field}
          />
        )}
      </FormField>
    </StepForm>
  )
}
