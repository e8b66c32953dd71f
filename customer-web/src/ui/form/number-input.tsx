import OutlinedInput from '@mui/material/OutlinedInput'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { toPlainNumber } from '@/format/numeric-input'
import { cx } from '../cx'

export type NumberInputProps = {
  /** The accessible name. */
  label: string
  value: string
  onChange: (text: string) => void
  onFocus?: () => void
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  name?: string
  id?: string
  invalid?: boolean
  disabled?: boolean
  /** The id of its message. */
  describedBy?: string | undefined
  /** The width in digits, for browsers that don't fit a field to its text. */
  size?: number
  start?: ReactNode
  end?: ReactNode
  /** Classes of the frame and the text. */
  className?: string | undefined
  inputClassName?: string | undefined
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** More than any number has. */
const MOST_SIGNS = 24

/** A number in a frame, without a label or message of its own. */
export function NumberInput({
  label,
  value,
  onChange,
  invalid = false,
  describedBy,
  size,
  start,
  end,
  className,
  inputClassName,
  ...rest
}: NumberInputProps) {
  return (
    <OutlinedInput
      fullWidth
      {...rest}
      value={value}
      error={invalid}
      autoComplete="off"
      className={cx(className)}
      startAdornment={start}
      endAdornment={end}
      onChange={(event) => onChange(toPlainNumber(event.target.value))}
      slotProps={{
        input: {
          className: inputClassName,
          inputMode: 'decimal',
          maxLength: MOST_SIGNS,
          dir: 'ltr',
          size,
          'aria-label': label,
          'aria-describedby': describedBy,
        },
      }}
    />
  )
}
