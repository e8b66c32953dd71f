import { useEffect, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { showRefusal } from '@/ui/form/show-refusal'
import type { SchemaForm } from '@/ui/form/use-schema-form'

/**
 * Shows the refusal of a form's write at the fields it is about, and returns the failure that belongs to none. An
 * edit ends that one too, unless the outcome is unknown. `fieldOf` is a constant; see showRefusal.
 */
export function useRefusal<Values extends FieldValues, Sent>(
  { setError, getValues, watch }: SchemaForm<Values, Sent>,
  error: unknown,
  fieldOf: Record<string, FieldPath<Values>>,
): unknown {
  const [failure, setFailure] = useState<unknown>(null)
  // Fields are disabled while the write runs, so the refused one can take the focus only now.
  useEffect(() => {
    setFailure(error && !showRefusal({ setError, getValues }, error, fieldOf) ? error : null)
  }, [error, fieldOf, setError, getValues])
  useEffect(() => {
    const { unsubscribe } = watch(() =>
      setFailure((known: unknown) => (isOutcomeUnknown(known) ? known : null)),
    )
    return unsubscribe
  }, [watch])
  return failure
}
