import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import type { Dayjs } from 'dayjs'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTimeStyle } from '../time-text'
import type { DateFieldProps } from './date-field'
import { dateLocale } from './date-locale'

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

/** How a picker reads its value, and the pattern in which it writes it. */
export type PickerFormat = { read: (text: string) => Dayjs; pattern: string }

/** The state, texts and looks that the date pickers share. */
export function usePicker(
  { label, value, onChange, onBlur, name, error, describedBy, disabled, inputRef }: DateFieldProps,
  { read, pattern }: PickerFormat,
) {
  const messageId = useId()
  const style = useTimeStyle()
  const adapterLocale = useMemo(() => dateLocale(style.tag), [style.tag])
  const localeText = usePickerTexts()
  const parse = (text: string) => (text ? read(text) : null)
  const write = (date: Dayjs | null) => (date?.isValid() ? date.format(pattern) : '')
  const [known, setKnown] = useState(value)
  const [typed, setTyped] = useState(() => parse(value))
  // A field that is being typed keeps its parts, though it has no value yet.
  if (value !== known) {
    setKnown(value)
    if (write(typed) !== value) setTyped(parse(value))
  }
  const change = (date: Dayjs | null) => {
    setTyped(date)
    onChange(write(date))
  }
  const described = [error ? messageId : undefined, describedBy].filter(Boolean).join(' ')
  return {
    style,
    messageId,
    localization: { dateAdapter: AdapterDayjs, adapterLocale, localeText },
    picker: {
      label,
      value: typed,
      onChange: change,
      ...(inputRef ? { inputRef } : {}),
      ...(name ? { name } : {}),
      ...(disabled ? { disabled } : {}),
      slotProps: {
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
      },
    },
  } as const
}

const partNames = {
  hours: 'date.hours',
  minutes: 'date.minutes',
  seconds: 'date.minutes', // required by the library; our clock has none
  meridiem: 'date.meridiem',
} as const

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
      nextStepButtonLabel: t('date.next'),
      datePickerToolbarTitle: t('date.choose'),
      dateTimePickerToolbarTitle: t('date.choose'),
      openDatePickerDialogue: (text: string | null) =>
        text ? t('date.change', { date: text }) : t('date.choose'),
      dateTableLabel: t('date.choose'),
      timeTableLabel: t('date.choose_time'),
      selectViewText: (part: keyof typeof partNames) => t(partNames[part]),
      hoursClockNumberText: (value: string) => t('date.hour', { value }),
      minutesClockNumberText: (value: string) => t('date.minute', { value }),
      fieldYearPlaceholder: () => t('date.typed.year'),
      fieldMonthPlaceholder: () => t('date.typed.month'),
      fieldDayPlaceholder: () => t('date.typed.day'),
      fieldHoursPlaceholder: () => t('date.typed.hours'),
      fieldMinutesPlaceholder: () => t('date.typed.minutes'),
      fieldMeridiemPlaceholder: () => t('date.typed.meridiem'),
      year: t('date.year'),
      month: t('date.month'),
      day: t('date.day'),
      hours: t('date.hours'),
      minutes: t('date.minutes'),
      meridiem: t('date.meridiem'),
      empty: t('date.empty'),
    }),
    [t],
  )
}
