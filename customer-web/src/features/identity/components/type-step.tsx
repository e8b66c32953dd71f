import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { ChoiceGroup } from '@/ui/choice-group'
import { ErrorBlock } from '@/ui/error-block'
import { Note } from '@/ui/note'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { type DocumentType, useIdentityCountries, useSaveDraft } from '../api/identity'
import type { StepProps } from './country-step'
import { StepForm } from './step-form'

/** The document type, limited to those of the country. */
export function TypeStep({ identity, onDone }: StepProps) {
  const { t } = useTranslation()
  const countries = useIdentityCountries()
  const save = useSaveDraft()
  const [chosen, setChosen] = useState<DocumentType | ''>(identity.documentType ?? '')
  const [judged, setJudged] = useState(false)
  const types = countries.data?.find(({ country }) => country === identity.country)?.documentTypes

  const submit = () => {
    setJudged(true)
    if (chosen !== '') save.mutate({ documentType: chosen }, { onSuccess: onDone })
  }

  return (
    <StepForm
      title={t('identity.type.title')}
      text={t('identity.type.text')}
      failure={save.error}
      action={t('identity.continue')}
      disabled={!types}
      busy={save.isPending}
      onSubmit={submit}
    >
      {types && (
        <ChoiceGroup
          label={t('identity.type.label')}
          value={chosen}
          onChange={setChosen}
          columns={1}
          options={types.map((type) => ({
            value: type,
            label: t(`identity.type.${type}.name`),
            explanation: t(`identity.type.${type}.pictures`),
          }))}
        />
      )}
      {countries.isPending && <SkeletonRows rows={3} rowHeight={56} />}
      {countries.isError && (
        <ErrorBlock
          {...reasonOf(countries.error)}
          onRetry={() => void countries.refetch()}
          retrying={countries.isFetching}
        />
      )}
      {judged && chosen === '' && <Note tone="error">{t('identity.type.choose')}</Note>}
    </StepForm>
  )
}
