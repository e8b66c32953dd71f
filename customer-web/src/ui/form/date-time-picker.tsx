import { DateTimePicker as MuiDateTimePicker } from '@mui/x-date-pickers/DateTimePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc'
import { dateFormat } from './date-locale'
import type { DateTimeFieldProps } from './date-time-field'
import { FieldMessage } from './field-message'
import { type PickerFormat, usePicker } from './use-picker'

dayjs.extend(utc)

/** A clock's reading, not a moment: UTC has every reading once. */
const reading: PickerFormat = { read: (text) => dayjs.utc(text), pattern: 'YYYY-MM-DDTHH:mm' }

/** The field, its calendar and its clock; see DateTimeField. */
export default function DateTimePicker(props: DateTimeFieldProps) {
  const { min, error } = props
  const { picker, localization, style, messageId } = usePicker(props, reading)
  const twelve = style.hourCycle === '12'
  const first = dayjs.utc(min)
  return (
    <LocalizationProvider {...localization}>
      <div>
        <MuiDateTimePicker
          {...picker}
          timezone="UTC"
          ampm={twelve}
          format={`${dateFormat(style.tag)} ${twelve ? 'hh:mm A' : 'HH:mm'}`}
          minDateTime={first}
          referenceDate={first}
          timeSteps={{ minutes: 5 }}
          disableHighlightToday
        />
        <FieldMessage id={messageId} error={error} />
      </div>
    </LocalizationProvider>
  )
}
