import type { FieldPath, FieldValues } from 'react-hook-form'
import { toFailure } from './problems'
import type { SchemaForm } from './use-schema-form'

/**
 * Shows what the server refused at the fields of the form; returns whether any of them was among it. What belongs to
 * no field stays for the note below the form. `fieldOf` names the fields of refusals that are about one.
 */
export function showRefusal<Values extends FieldValues, Sent>(
  form: Pick<SchemaForm<Values, Sent>, 'setError' | 'getValues'>,
  error: unknown,
  fieldOf: Record<string, FieldPath<Values>> = {},
): boolean {
  const { code = '', fields } = toFailure(error)
  const field = fieldOf[code]
  const refused = Object.entries(field ? { [field]: `error.${code}` } : fields).filter(
    ([name]) => name in form.getValues(),
  )
  refused.forEach(([name, message], index) => {
    form.setError(
      name as FieldPath<Values>,
      { type: 'server', message },
      { shouldFocus: index === 0 },
    )
  })
  return refused.length > 0
}
