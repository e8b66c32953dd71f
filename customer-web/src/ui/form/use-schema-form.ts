import { zodResolver } from '@hookform/resolvers/zod'
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form'
import type { ZodMiniType } from 'zod/mini'

/** The form of a schema: its values as typed, and as the schema returns them. */
export type SchemaForm<Values extends FieldValues, Sent> = UseFormReturn<Values, unknown, Sent>

/**
 * A form that a schema checks: when it is submitted, and from then on at every change; `onTouched` checks a field from
 * the first time on that it is left. The messages of the schema are keys of texts. On a problem, the first invalid
 * field gets the focus.
 */
export function useSchemaForm<Values extends FieldValues, Sent>(
  schema: ZodMiniType<Sent, Values>,
  defaultValues: DefaultValues<Values>,
  mode: 'onSubmit' | 'onTouched' = 'onSubmit',
): SchemaForm<Values, Sent> {
  return useForm<Values, unknown, Sent>({ resolver: zodResolver(schema), defaultValues, mode })
}
