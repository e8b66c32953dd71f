import OutlinedInput from '@mui/material/OutlinedInput'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { groupDigits } from '@/format/decimal'
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
  /** As wide as its digits, also in browsers that don't fit a field to its text. */
  fitted?: boolean
  start?: ReactNode
  end?: ReactNode
  /** Classes of the frame and the text. */
  className?: string | undefined
  inputClassName?: string | undefined
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

/** More than any number has. */
const MOST_SIGNS = 24

/** A number in a frame, without a label or message of its own. Its thousands are separated while it is not edited. */
export function NumberInput({
  label,
  value,
  onChange,
  invalid = false,
  describedBy,
  fitted = false,
  onFocus,
  onBlur,
  start,
  end,
  className,
  inputClassName,
  ...rest
}: NumberInputProps) {
  const [editing, setEditing] = useState(false)
  const shown = editing ? value : groupDigits(value)
  // The text without separators takes the place of what Tab or a script selected, so it is selected again.
  const entered = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  useLayoutEffect(() => {
    if (editing) entered.current?.select()
    entered.current = null
  }, [editing])
  return (
    <OutlinedInput
      fullWidth
      {...rest}
      value={shown}
      error={invalid}
      autoComplete="off"
      className={cx(className)}
      startAdornment={start}
      endAdornment={end}
      onFocus={({ target }) => {
        if (shown !== value) entered.current = target
        setEditing(true)
        onFocus?.()
      }}
      onBlur={() => {
        setEditing(false)
        onBlur?.()
      }}
      onChange={(event) => onChange(toPlainNumber(event.target.value))}
      slotProps={{
        input: {
          className: inputClassName,
          inputMode: 'decimal',
          maxLength: MOST_SIGNS,
          dir: 'ltr',
          size: fitted ? Math.max(shown.length, 1) : undefined,
          'aria-label': label,
          'aria-describedby': describedBy,
        },
      }}
    />
  )
}
