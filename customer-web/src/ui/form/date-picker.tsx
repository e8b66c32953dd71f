import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DatePicker as MuiDatePicker } from '@mui/x-date-pickers/DatePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import dayjs, { type Dayjs } from 'dayjs'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTimeStyle } from '../time-text'
import type { DateFieldProps } from './date-field'
import { dateFormat, dateLocale } from './date-locale'
import { FieldMessage } from './field-message'

const FIRST_DAY = '1900-01-01'

function fromDay(day: string | undefined): Dayjs | null {
  return day ? dayjs(day) : null
}

function toDay(date: Dayjs | null): string {
  return date?.isValid() ? date.format('YYYY-MM-DD') : ''
}

const staticLabel = {
  position: 'static',
  transform: 'none',
  marginBlockEnd: '6px',
  overflow: 'visible',
} as const

/** Looks like the other fields, whose label stands above the frame. */
const field = {
  '& .MuiPickersOutlinedInput-root': {
    minHeight: { xs: 'var(--control-phone)', lg: 'var(--control-lg)' },
    paddingInline: '12px 2px',
    backgroundColor: 'var(--surface-2)',
    fontWeight: 500,
    fontSize: { xs: 16, lg: 13 },
    borderRadius: { xs: 'var(--r-md)', lg: 'var(--r-sm)' },
  },
  '& .MuiInputAdornment-root': { marginInlineStart: 0 },
  '& .MuiPickersInputBase-sectionsContainer': { paddingBlock: 0, fontSize: 'inherit' },
  '& fieldset': { insetBlockStart: 0, borderColor: 'var(--border-strong)' },
  '& legend': { display: 'none' },
} as const

const surface = {
  backgroundColor: 'var(--surface-3)',
  borderRadius: 'var(--r-md)',
  boxShadow: 'var(--shadow-2), var(--edge-raised)',
}

/** Days as large as a finger on a touch screen. */
const touchSized = {
  '& .MuiDateCalendar-root': { height: 'auto', maxHeight: 'none' },
  '& .MuiDayCalendar-slideTransition': { minHeight: 270 },
  '& .MuiDayCalendar-weekDayLabel, & [role="gridcell"]': { width: 44, margin: 0 },
  '& [role="gridcell"]': { height: 44 },
} as const

/** The field and its calendar; see DateField. */
export default function DatePicker(props: DateFieldProps) {
  const { label, value, onChange, onBlur, name, min, max, error, describedBy, inputRef } = props
  const messageId = useId()
  const style = useTimeStyle()
  const locale = useMemo(() => dateLocale(style.tag), [style.tag])
  const texts = usePickerTexts()
  const [known, setKnown] = useState(value)
  const [typed, setTyped] = useState(() => fromDay(value))
  // A field that is being typed keeps its parts, though it has no value yet.
  if (value !== known) {
    setKnown(value)
    if (toDay(typed) !== value) setTyped(fromDay(value))
  }
  const change = (date: Dayjs | null) => {
    setTyped(date)
    onChange(toDay(date))
  }
  const described = [error ? messageId : undefined, describedBy].filter(Boolean).join(' ')
  return (
    <LocalizationProvider dateAdapter={AdapterDayjs} adapterLocale={locale} localeText={texts}>
      <div>
        <MuiDatePicker
          label={label}
          value={typed}
          onChange={change}
          format={dateFormat(style.tag)}
          minDate={dayjs(min ?? FIRST_DAY)}
          {...(max ? { maxDate: dayjs(max) } : {})}
          {...(inputRef ? { inputRef } : {})}
          {...(name ? { name } : {})}
          slotProps={{
            openPickerButton: { edge: false },
            toolbar: { hidden: true },
            desktopPaper: { sx: surface },
            mobilePaper: { sx: touchSized },
            textField: {
              fullWidth: true,
              error: Boolean(error),
              ...(onBlur ? { onBlur } : {}),
              sx: field,
              slotProps: {
                inputLabel: { sx: staticLabel },
                ...(described ? { input: { 'aria-describedby': described } } : {}),
              },
            },
          }}
        />
        <FieldMessage id={messageId} error={error} />
      </div>
    </LocalizationProvider>
  )
}

/** The words of the calendar, for which the library has no Arabic. */
function usePickerTexts() {
  const { t } = useTranslation()
  return useMemo(
    () => ({
      previousMonth: t('date.previous_month'),
      nextMonth: t('date.next_month'),
      calendarViewSwitchingButtonAriaLabel: (view: string) =>
        t(view === 'year' ? 'date.show_days' : 'date.show_years'),
      cancelButtonLabel: t('date.cancel'),
      okButtonLabel: t('date.ok'),
      datePickerToolbarTitle: t('date.choose'),
      openDatePickerDialogue: (text: string | null) =>
        text ? t('date.change', { date: text }) : t('date.choose'),
      dateTableLabel: t('date.choose'),
      fieldYearPlaceholder: () => t('date.typed.year'),
      fieldMonthPlaceholder: () => t('date.typed.month'),
      fieldDayPlaceholder: () => t('date.typed.day'),
      year: t('date.year'),
      month: t('date.month'),
      day: t('date.day'),
      empty: t('date.empty'),
    }),
    [t],
  )
}
