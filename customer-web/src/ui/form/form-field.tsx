import type { ReactNode, RefCallback } from 'react'
import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  useController,
} from 'react-hook-form'
import { problemText, type TextArgs } from './problems'

/** What a form passes to one of its fields. */
export type FieldBinding<Value> = {
  name: string
  value: Value
  onChange: (value: Value) => void
  onBlur: () => void
  inputRef: RefCallback<HTMLElement>
  /** The error, translated. */
  error: string | undefined
}

export type FormFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Sent> = {
  control: Control<Values, unknown, Sent>
  name: Name
  /** The values that the texts of its errors name. */
  args?: TextArgs | undefined
  children: (field: FieldBinding<FieldPathValue<Values, Name>>) => ReactNode
}

/** Binds a field of ui/form to a form. An empty field that was left is no error before the form is sent. */
export function FormField<Values extends FieldValues, Name extends FieldPath<Values>, Sent>({
  control,
  name,
  args,
  children,
}: FormFieldProps<Values, Name, Sent>) {
  const { field, fieldState, formState } = useController({ control, name })
  const early = field.value === '' && formState.submitCount === 0
  return children({
    name: field.name,
    value: field.value,
    onChange: field.onChange,
    onBlur: field.onBlur,
    inputRef: field.ref,
    error: early ? undefined : problemText(fieldState.error?.message, args),
  })
}
