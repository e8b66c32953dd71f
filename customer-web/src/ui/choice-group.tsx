import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { type ReactNode, type Ref, useId } from 'react'
import styles from './choice-group.module.css'
import { cx } from './cx'
import { FieldMessage } from './form/field-message'
import { Icon } from './icons/icon'
import type { IconName } from './icons/icon-shapes'

export type Choice<T extends string> = {
  value: T
  label: string
  icon?: IconName
  /** One sentence below the label. */
  explanation?: string
  /** A preview of the option at the end of its line. */
  sample?: ReactNode
}

export type ChoiceGroupProps<T extends string> = {
  label: string
  hint?: string
  /** Without it nothing is chosen yet. */
  value: T | undefined
  onChange: (value: T) => void
  options: readonly Choice<T>[]
  /** Cells per row on a wide screen; all of them if absent. */
  columns?: number
  /** Tiles wrap to another row if their labels don't fit side by side; words are never broken. */
  wraps?: boolean
  error?: string | undefined
  /** The first option's radio button. */
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** A choice of a few visible options: radio buttons drawn as tiles. */
export function ChoiceGroup<T extends string>({
  label,
  hint,
  value,
  onChange,
  options,
  columns = options.length,
  wraps = false,
  error,
  inputRef,
}: ChoiceGroupProps<T>) {
  const name = useId()
  const isWide = options.some(({ sample, explanation }) => sample || explanation)
  return (
    <FormControl component="fieldset" fullWidth error={Boolean(error)}>
      <FormLabel component="legend" className={styles.legend}>
        {label}
      </FormLabel>
      {hint && <p className={styles.hint}>{hint}</p>}
      <RadioGroup
        name={name}
        value={value ?? ''}
        aria-describedby={error ? `${name}-message` : undefined}
        onChange={(_, picked) => onChange(picked as T)}
        className={cx(styles.tiles, isWide && styles.wide, wraps && styles.wraps)}
        style={{ '--columns': columns } as React.CSSProperties}
      >
        {options.map((option, index) => (
          <FormControlLabel
            key={option.value}
            value={option.value}
            className={styles.tile ?? ''}
            disableTypography
            control={
              <Radio
                className={styles.radio ?? ''}
                slotProps={{ input: { ref: index === 0 ? inputRef : null } }}
              />
            }
            label={
              <>
                {option.icon && <Icon name={option.icon} size={20} />}
                <span className={styles.text}>
                  {option.label}
                  {option.explanation && <small>{option.explanation}</small>}
                </span>
                {option.sample && <span className={styles.sample}>{option.sample}</span>}
              </>
            }
          />
        ))}
      </RadioGroup>
      <FieldMessage id={`${name}-message`} error={error} />
    </FormControl>
  )
}
