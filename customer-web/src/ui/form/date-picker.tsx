import { DatePicker as MuiDatePicker } from '@mui/x-date-pickers/DatePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import dayjs from 'dayjs'
import type { DateFieldProps } from './date-field'
import { dateFormat } from './date-locale'
import { FieldMessage } from './field-message'
import { type PickerFormat, usePicker } from './use-picker'

const FIRST_DAY = '1900-01-01'
const day: PickerFormat = { read: (text) => dayjs(text), pattern: 'YYYY-MM-DD' }

/** The field and its calendar; see DateField. */
export default function DatePicker(props: DateFieldProps) {
  const { min, max, error } = props
  const { picker, localization, style, messageId } = usePicker(props, day)
  return (
    <LocalizationProvider {...localization}>
      <div>
        <MuiDatePicker
          {...picker}
          format={dateFormat(style.tag)}
          minDate={dayjs(min ?? FIRST_DAY)}
          {...(max ? { maxDate: dayjs(max) } : {})}
        />
        <FieldMessage id={messageId} error={error} />
      </div>
    </LocalizationProvider>
  )
}
