import { lazy } from 'react'
import { DateFallback, type DateFieldProps } from './date-field'

export type DateTimeFieldProps = Omit<DateFieldProps, 'min' | 'max'> & {
  /** The first allowed reading. */
  min: string
}

const DateTimePicker = lazy(() => import('./date-time-picker'))

/** A day and time as a clock shows them, `yyyy-mm-ddThh:mm`: typed, or picked from a calendar loaded when first shown. */
export function DateTimeField(props: DateTimeFieldProps) {
  return (
    <DateFallback label={props.label}>
      <DateTimePicker {...props} />
    </DateFallback>
  )
}
