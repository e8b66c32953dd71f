import ButtonBase from '@mui/material/ButtonBase'
import { type KeyboardEvent, memo, type Ref, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type StepRange, stepValue } from '@/format/arithmetic'
import { filterNumeric } from '@/format/numeric-input'
import { NumberInput } from './form/number-input'
import { Icon } from './icons/icon'
import styles from './stepper.module.css'

export type StepperProps = StepRange & {
  /** A decimal string; may be empty while the trader types. */
  value: string
  onChange: (value: string) => void
  /** What is counted, for example "Volume". */
  label: string
  /** Shown after the number, for example "lots". */
  unit?: string
  disabled?: boolean
  invalid?: boolean
  /** The id of the error message. */
  describedBy?: string
  /** The decimals that can be typed, for a field that reports a value off its step; those of the step by default. */
  typedDecimals?: number
  name?: string
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement | HTMLTextAreaElement> | undefined
}

const HOLD_DELAY_MS = 400
const HOLD_REPEAT_MS = 80

/** A number to type or step: press and hold repeats, arrow keys step too. */
export const Stepper = memo(function Stepper({
  value,
  onChange,
  label,
  unit,
  disabled = false,
  invalid = false,
  describedBy,
  typedDecimals,
  name,
  onBlur,
  inputRef,
  ...range
}: StepperProps) {
  const { t } = useTranslation()
  const inputId = useId()
  const latest = useRef({ value, onChange, range })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  useEffect(() => {
    latest.current = { value, onChange, range }
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const step = (direction: 1 | -1) => {
    const now = latest.current
    const next = stepValue(now.value, direction, now.range)
    latest.current = { ...now, value: next }
    if (next !== now.value) now.onChange(next)
  }

  const hold = (direction: 1 | -1, delay = HOLD_DELAY_MS) => {
    step(direction)
    timer.current = setTimeout(() => hold(direction, HOLD_REPEAT_MS), delay)
  }

  const release = () => clearTimeout(timer.current)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(event.key === 'ArrowUp' ? 1 : -1)
  }

  const button = (direction: 1 | -1) => (
    <ButtonBase
      type="button"
      className={styles.button ?? ''}
      aria-label={`${direction === 1 ? t('ui.increase') : t('ui.decrease')}: ${label}`}
      aria-controls={inputId}
      disabled={disabled}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        hold(direction)
      }}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      // Pointers step on press, so a click only counts from keyboards and screen readers.
      onClick={(event) => {
        if (event.detail === 0) step(direction)
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Icon name={direction === 1 ? 'plus' : 'minus'} size={20} />
    </ButtonBase>
  )

  return (
    <NumberInput
      id={inputId}
      label={label}
      value={value}
      fitted
      disabled={disabled}
      invalid={invalid}
      describedBy={describedBy}
      inputRef={inputRef}
      className={styles.stepper}
      inputClassName={styles.number}
      {...(name ? { name } : {})}
      {...(onBlur ? { onBlur } : {})}
      onKeyDown={onKeyDown}
      onChange={(text) => onChange(filterNumeric(text, typedDecimals ?? range.decimals))}
      start={button(-1)}
      end={
        <>
          <small className={styles.unit}>{unit}</small>
          {button(1)}
        </>
      }
    />
  )
})
