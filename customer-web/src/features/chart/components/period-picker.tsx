import { useTranslation } from 'react-i18next'
import { Chip } from '@/ui/chip'
import { Num } from '@/ui/num'
import { useShortcuts } from '@/ui/use-shortcuts'
import { PERIODS, type PeriodCode } from '../model/periods'
import styles from './period-picker.module.css'

export type PeriodPickerProps = { period: PeriodCode; onChange: (period: PeriodCode) => void }

/** The candle period picker. */
export function PeriodPicker({ period, onChange }: PeriodPickerProps) {
  const { t } = useTranslation()
  const step = (by: 1 | -1) => {
    const next = PERIODS[PERIODS.indexOf(period) + by]
    if (next) onChange(next)
  }
  useShortcuts({ '[': () => step(-1), ']': () => step(1) })
  return (
    <fieldset aria-label={t('chart.period')} className={styles.periods}>
      {PERIODS.map((code) => (
        <Chip key={code} on={code === period} onClick={() => onChange(code)}>
          <Num>{code}</Num>
        </Chip>
      ))}
    </fieldset>
  )
}
