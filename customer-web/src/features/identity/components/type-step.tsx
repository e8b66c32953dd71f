import { useTranslation } from 'react-i18next'
import { custom, object } from 'zod/mini'
import { reasonOf } from '@/api/reason'
import { ChoiceGroup } from '@/ui/choice-group'
import { ErrorBlock } from '@/ui/error-block'
import { FormField } from '@/ui/form/form-field'
import { useSchemaForm } from '@/ui/form/use-schema-form'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { type DocumentType, useIdentityCountries } from '../api/identity'
import { useSaveStep } from '../model/use-save-step'
import type { StepProps } from './country-step'
import { StepForm } from './step-form'

const schema = object({
  documentType: custom<DocumentType>((type) => type !== undefined, 'identity.type.choose'),
})

/** The document type, limited to those of the country. */
export function TypeStep({ identity, onDone }: StepProps) {
  const { t } = useTranslation()
  const countries = useIdentityCountries()
  const { documentType } = identity
  const form = useSchemaForm(schema, documentType ? { documentType } : {})
  const step = useSaveStep(form, onDone)
  const types = countries.data?.find(({ country }) => country === identity.country)?.documentTypes

  return (
    <StepForm
      title={t('identity.type.title')}
      text={t('identity.type.text')}
      action={t('identity.continue')}
      disabled={!types}
      {...step}
    >
      {types && (
        <FormField control={form.control} name="documentType">
          {(field) => (
            <ChoiceGroup
              label={t('identity.type.label')}
              columns={1}
              options={types.map((type) => ({
                value: type,
                label: t(`identity.type.${type}.name`),
                explanation: t(`identity.type.${type}.pictures`),
              }))}
              {...field}
            />
          )}
        </FormField>
      )}
      {countries.isPending && <SkeletonRows rows={3} rowHeight={56} />}
      {countries.isError && (
        <ErrorBlock
          {...reasonOf(countries.error)}
          onRetry={() => void countries.refetch()}
          retrying={countries.isFetching}
        />
      )}
    </StepForm>
  )
}
