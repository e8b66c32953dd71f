import FormHelperText from '@mui/material/FormHelperText'
import type { ReactNode } from 'react'
import { Icon } from '../icons/icon'

export type FieldMessageProps = {
  id: string
  error?: string | undefined
  hint?: ReactNode
}

/** The message below a field: its error, else its hint. */
export function FieldMessage({ id, error, hint }: FieldMessageProps) {
  if (!error && !hint) return null
  return (
    <FormHelperText id={id} error={Boolean(error)}>
      {error && <Icon name="warn" size={14} />}
      <span>{error ?? hint}</span>
    </FormHelperText>
  )
}
