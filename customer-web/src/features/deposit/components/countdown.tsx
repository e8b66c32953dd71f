import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import styles from '@/ui/block.module.css'
import { cx } from '@/ui/cx'
import { Num } from '@/ui/num'
import { TimeText } from '@/ui/time-text'
import { formatLeft, useTimeLeft } from '@/ui/use-time-left'
import { refreshDeposits } from '../api/deposits'

export type CountdownProps = { until: number }

const SOON_MS = 60 * 60 * 1000

/** Counts down until the deposit expires, then refetches it. */
export function Countdown({ until }: CountdownProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const left = useTimeLeft(until)
  const over = left === 0

  useEffect(() => {
    if (over) void refreshDeposits(client)
  }, [over, client])

  return (
    <dl className={styles.pairs}>
      <div>
        <dt>{t('deposit.transfer.time_left')}</dt>
        <dd className={cx(left < SOON_MS && styles.soon)}>
          <span role="timer">
            {over ? t('deposit.transfer.over') : <Num>{formatLeft(left)}</Num>}
          </span>
        </dd>
      </div>
      <div>
        <dt>{t('deposit.transfer.until')}</dt>
        <dd>
          <TimeText at={until} />
        </dd>
      </div>
    </dl>
  )
}
