import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { formatLeft, useTimeLeft } from '@/features/deposit/model/use-time-left'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import styles from './withdraw.module.css'

export type CoolingTagProps = { until: number; onOver: () => void }

/** Counts down to the moment from which money can go there. */
export function CoolingTag({ until, onOver }: CoolingTagProps) {
  const { t } = useTranslation()
  const left = useTimeLeft(until)
  const over = left === 0
  const tell = useEffectEvent(onOver)
  useEffect(() => {
    if (over) tell()
  }, [over])
  return (
    <span className={styles.tag}>
      <Tag tone="warning">
        <Icon name="clock" size={14} />
        {t('payee.bank.cooling')}{' '}
        <span role="timer">
          <Num>{formatLeft(left)}</Num>
        </span>
      </Tag>
    </span>
  )
}
