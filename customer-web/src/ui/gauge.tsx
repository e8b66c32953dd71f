import { useTranslation } from 'react-i18next'
import { formatPercent } from '@/format/amount'
import { cx } from './cx'
import styles from './gauge.module.css'
import { gaugePosition, gaugeTone } from './gauge-scale'

export type GaugeProps = {
  /** Margin level in percent; null while no margin is used. */
  level: number | null
  /** Margin call and stop-out thresholds in percent. */
  call?: number
  stopOut?: number
}

/** The margin level on a logarithmic scale, with marks at the stop-out and the margin call; empty while no margin is used. */
export function Gauge({ level, call = 100, stopOut = 50 }: GaugeProps) {
  const { t } = useTranslation()
  const shown = level ?? Number.POSITIVE_INFINITY
  const percent = (of: number) => `${(gaugePosition(of) * 100).toFixed(1)}%`
  return (
    <div
      className={styles.gauge}
      role="meter"
      aria-label={t('figure.margin_level')}
      aria-valuemin={0}
      aria-valuemax={1000}
      aria-valuenow={Math.min(1000, Math.max(0, Math.round(shown)))}
      aria-valuetext={t('ui.gauge.text', {
        level: level === null ? '–' : formatPercent(level.toFixed(2)),
        call: `${call}%`,
        stopOut: `${stopOut}%`,
      })}
    >
      {level !== null && (
        <i
          className={cx(styles.fill, styles[gaugeTone(shown, call)])}
          style={{ inlineSize: percent(shown) }}
        />
      )}
      <s
        className={cx(styles.mark, styles.stopOut)}
        style={{ insetInlineStart: percent(stopOut) }}
      />
      <s className={cx(styles.mark, styles.call)} style={{ insetInlineStart: percent(call) }} />
    </div>
  )
}
