import { type ReactNode, useId } from 'react'
import styles from './choice-group.module.css'
import { cx } from './cx'
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
  value: T
  onChange: (value: T) => void
  options: readonly Choice<T>[]
  /** Cells per row on a wide screen; all of them if absent. */
  columns?: number
  /** Tiles wrap to another row if their labels don't fit side by side; words are never broken. */
  wraps?: boolean
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
}: ChoiceGroupProps<T>) {
  const name = useId()
  const isWide = options.some(({ sample, explanation }) => sample || explanation)
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      <div
        className={cx(styles.tiles, isWide && styles.wide, wraps && styles.wraps)}
        style={{ '--columns': columns } as React.CSSProperties}
      >
        {options.map((option) => (
          <label key={option.value} className={styles.tile}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.icon && <Icon name={option.icon} size={20} />}
            <span className={styles.text}>
              {option.label}
              {option.explanation && <small>{option.explanation}</small>}
            </span>
            {option.sample && <span className={styles.sample}>{option.sample}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
