import { useEffect, useEffectEvent } from 'react'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { formatLeft, useTimeLeft } from '@/ui/use-time-left'

export type CoolingTagProps = { label: string; until: number; onOver: () => void }

/** Counts down until the payee can be used. */
export function CoolingTag({ label, until, onOver }: CoolingTagProps) {
  const left = useTimeLeft(until)
  const over = left === 0
  const notifyOver = useEffectEvent(onOver)
  useEffect(() => {
    if (over) notifyOver()
  }, [over])
  return (
    <Tag tone="warning">
      <Icon name="clock" size={14} />
      {label}{' '}
      <span role="timer">
        <Num>{formatLeft(left)}</Num>
      </span>
    </Tag>
  )
}
