import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '@/theme/preferences'
import { cx } from '@/ui/cx'
import { formatFieldTime, type PendingOrderInput } from '../../model/pending-order'
import { useMarketNow } from '../../model/use-market-now'
import styles from './order-ticket.module.css'

export type ExpiryFieldProps = {
  input: Pick<PendingOrderInput, 'force' | 'until'>
  problem: string | undefined
  onChange: (change: Partial<PendingOrderInput>) => void
}

const FORCES = ['gtc', 'day', 'date'] as const
const DAY_MS = 24 * 60 * 60 * 1000

/** The expiry of an order: until cancelled, end of day, or a date. */
export function ExpiryField({ input, problem, onChange }: ExpiryFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const now = useMarketNow()
  const zone = usePreferences(({ timeZone }) => timeZone)
  const choose = (force: PendingOrderInput['force']) =>
    onChange({
      force,
      until: force === 'date' ? input.until || formatFieldTime(now() + DAY_MS, zone) : input.until,
    })
  return (
    <div className={styles.block}>
      <label className={styles.expiry}>
        <span>{t('waiting.expiry')}</span>
        <select
          className={styles.field}
          value={input.force}
          onChange={({ target }) => choose(FORCES.find((force) => force === target.value) ?? 'gtc')}
        >
          {FORCES.map((force) => (
            <option key={force} value={force}>
              {t(`waiting.force.${force}`)}
            </option>
          ))}
        </select>
      </label>
      {input.force === 'date' && (
        <input
          type="datetime-local"
          className={cx(styles.field, problem && styles.invalid)}
          aria-label={t('waiting.until')}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={id}
          min={formatFieldTime(now(), zone)}
          value={input.until}
          onChange={({ target }) => onChange({ until: target.value })}
        />
      )}
      <p id={id} className={styles.problem} aria-live="polite">
        {problem}
      </p>
    </div>
  )
}
