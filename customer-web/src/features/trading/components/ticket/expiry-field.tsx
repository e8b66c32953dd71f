import { useTranslation } from 'react-i18next'
import { usePreferences } from '@/theme/preferences'
import { DateTimeField } from '@/ui/form/date-time-field'
import { SelectField } from '@/ui/form/select-field'
import { formatFieldTime, type PendingOrderInput } from '../../model/pending-order'
import { useMarketNow } from '../../model/use-market-now'
import styles from './order-ticket.module.css'

export type ExpiryFieldProps = {
  input: Pick<PendingOrderInput, 'force' | 'until'>
  problem: string | undefined
  disabled?: boolean
  onChange: (change: Pick<PendingOrderInput, 'force' | 'until'>) => void
}

const FORCES = ['gtc', 'day', 'date'] as const
const DAY_MS = 24 * 60 * 60 * 1000

/** The expiry of an order: until cancelled, end of day, or a date. */
export function ExpiryField({ input, problem, disabled = false, onChange }: ExpiryFieldProps) {
  const { t } = useTranslation()
  const now = useMarketNow()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const choose = (force: PendingOrderInput['force']) =>
    onChange({
      force,
      until: force === 'date' ? input.until || formatFieldTime(now() + DAY_MS, zone) : input.until,
    })
  return (
    <div className={styles.block}>
      <SelectField
        label={t('waiting.expiry')}
        className={styles.expiry}
        value={input.force}
        disabled={disabled}
        options={FORCES.map((value) => ({ value, text: t(`waiting.force.${value}`) }))}
        onPick={choose}
      />
      {input.force === 'date' && (
        <DateTimeField
          label={t('waiting.until')}
          min={formatFieldTime(now(), zone)}
          value={input.until}
          error={problem}
          disabled={disabled}
          onChange={(until) => onChange({ force: 'date', until })}
        />
      )}
    </div>
  )
}
