import type { ReactNode, Ref } from 'react'
import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  useController,
} from 'react-hook-form'
import { problemText } from './problems'

/** What a form passes to one of its fields. */
export type FieldBinding<Value> = {
  name: string
  value: Value
  onChange: (value: Value) => void
  onBlur: () => void
  inputRef: Ref<HTMLInputElement | HTMLTextAreaElement>
  /** The error, translated. */
  error: string | undefined
}

export type FormFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Sent> = {
  control: Control<Values, unknown, Sent>
  name: Name
  children: (field: FieldBinding<FieldPathValue<Values, Name>>) => ReactNode
}

/** Binds a field of ui/form to a form. */
export function FormField<Values extends FieldValues, Name extends FieldPath<Values>, Sent>({
  control,
  name,
  children,
}: FormFieldProps<Values, Name, Sent>) {
  const { field, fieldState } = useController({ control, name })
  return children({
    name: field.name,
    value: field.value,
    onChange: field.onChange,
    onBlur: field.onBlur,
    inputRef: field.ref,
    error: problemText(fieldState.error?.message),
  })
}
