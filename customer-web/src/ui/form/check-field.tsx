import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import { type ReactNode, type Ref, useId } from 'react'
import { FieldMessage } from './field-message'

export type CheckFieldProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
  error?: string | undefined
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** A checkbox with the statement the user agrees to. */
export function CheckField({ checked, onChange, children, error, inputRef }: CheckFieldProps) {
  const id = useId()
  return (
    <FormControl error={Boolean(error)}>
      <FormControlLabel
        label={children}
        control={
          <Checkbox
            checked={checked}
            onChange={(_, on) => onChange(on)}
            slotProps={{
              input: {
                ref: inputRef,
                'aria-invalid': error ? true : undefined,
                'aria-describedby': error ? id : undefined,
              },
            }}
          />
        }
      />
      <FieldMessage id={id} error={error} />
    </FormControl>
  )
}
