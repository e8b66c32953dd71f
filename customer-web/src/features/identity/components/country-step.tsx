import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CountryField } from '@/features/account/components/country-field'
import { userInfoQuery } from '@/session/info-query'
import type { Identity } from '../api/identity'
import { useIdentityCountries, useSaveDraft } from '../api/identity'
import { StepForm } from './step-form'

export type StepProps = {
  identity: Identity
  /** The step is saved. */
  onDone: (identity: Identity) => void
}

/** The country that issued the document. */
export function CountryStep({ identity, onDone }: StepProps) {
  const { t } = useTranslation()
  const countries = useIdentityCountries()
  const save = useSaveDraft()
  const [chosen, setCountry] = useState(identity.country)
  const home = useQuery(userInfoQuery).data?.country
  const accepted = countries.data?.some((one) => one.country === home)
  const country = chosen ?? (home && accepted ? home : '')
  const [judged, setJudged] = useState(false)

  const submit = () => {
    setJudged(true)
    if (country === '') return
    const types = countries.data?.find((one) => one.country === country)?.documentTypes
    const { documentType } = identity
    // Another country may not accept the document type chosen before.
    const lost = documentType && types && !types.includes(documentType)
    save.mutate({ country, ...(lost ? { documentType: '' } : {}) }, { onSuccess: onDone })
  }

  return (
    <StepForm
      title={t('identity.country.title')}
      text={t('identity.country.text')}
      failure={save.error}
      action={t('identity.continue')}
      busy={save.isPending}
      onSubmit={submit}
    >
      <CountryField
        label={t('identity.country.label')}
        useList={useIdentityCountries}
        value={country}
        onChange={setCountry}
        error={judged && country === '' ? t('field.required') : undefined}
      />
    </StepForm>
  )
}
