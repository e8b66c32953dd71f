import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Wire } from '@/api/client'
import { showRefusal } from '@/ui/form/show-refusal'
import type { SchemaForm } from '@/ui/form/use-schema-form'
import { type Identity, useSaveDraft } from '../api/identity'

/** Saves what a step's schema returns, and continues. */
export function useSaveStep<Values extends FieldValues, Sent extends Wire['SaveAuthDraft']>(
  form: SchemaForm<Values, Sent>,
  onDone: (identity: Identity) => void,
) {
  const save = useSaveDraft()
  const [failure, setFailure] = useState<unknown>(null)
  const onSubmit = form.handleSubmit((draft) => {
    setFailure(null)
    save.mutate(draft, {
      onSuccess: onDone,
      onError: (error) => {
        if (!showRefusal(form, error)) setFailure(error)
      },
    })
  })
  return { failure, busy: save.isPending, onSubmit: () => void onSubmit() }
}
