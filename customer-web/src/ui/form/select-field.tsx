import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import { useId } from 'react'
import { cx } from '../cx'
import styles from './select-field.module.css'

export type SelectFieldProps<T extends string | number> = {
  label: string
  /** The label is only read aloud. */
  bare?: boolean
  value: T
  options: readonly { value: T; text: string }[]
  disabled?: boolean
  className?: string | undefined
  onPick: (value: T) => void
}

/** A choice among a few values, in a menu. */
export function SelectField<T extends string | number>({
  label,
  bare = false,
  value,
  options,
  disabled = false,
  className,
  onPick,
}: SelectFieldProps<T>) {
  const id = useId()
  return (
    <FormControl disabled={disabled} className={cx(styles.field, className)}>
      <FormLabel id={id} className={bare ? cx('visually-hidden', styles.bare) : ''}>
        {label}
      </FormLabel>
      <Select
        labelId={id}
        displayEmpty
        value={value}
        onChange={(event) => onPick(event.target.value as T)}
      >
        {options.map((option) => (
          <MenuItem key={option.value} value={option.value}>
            {option.text}
          </MenuItem>
        ))}
      </Select>
    </FormControl>
  )
}
