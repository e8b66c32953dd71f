import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import type { ReactNode } from 'react'
import styles from './segments.module.css'

export type SegmentsProps<T extends string> = {
  label: string
  value: T
  options: readonly { value: T; text: ReactNode }[]
  onPick: (value: T) => void
}

/** A choice of a few short options in one row: radio buttons drawn as joined cells. */
export function Segments<T extends string>({ label, value, options, onPick }: SegmentsProps<T>) {
  return (
    <RadioGroup
      row
      aria-label={label}
      value={value}
      className={styles.segments ?? ''}
      onChange={(_, picked) => onPick(picked as T)}
    >
      {options.map((option) => (
        <FormControlLabel
          key={option.value}
          value={option.value}
          disableTypography
          className={styles.segment ?? ''}
          control={<Radio className={styles.radio ?? ''} />}
          label={option.text}
        />
      ))}
    </RadioGroup>
  )
}
