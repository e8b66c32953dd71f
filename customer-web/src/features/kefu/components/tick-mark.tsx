import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import type { DeliveryStatus } from '../model/thread'
import styles from './chat.module.css'

export type TickMarkProps = { tick: DeliveryStatus | 'sending' | 'waiting' }

/** The delivery status of the user's own message: a clock, one tick, two, or two in colour. */
export function TickMark({ tick }: TickMarkProps) {
  const { t } = useTranslation()
  const text = t(`kefu.tick.${tick}`)
  return (
    <span className={cx(styles.tick, tick === 'read' && styles.read)} title={text}>
      <span className="visually-hidden">{text}</span>
      {tick === 'sending' || tick === 'waiting' ? (
        <Icon name="clock" size={14} />
      ) : (
        <>
          <Icon name="check" size={14} />
          {tick !== 'sent' && <Icon name="check" size={14} />}
        </>
      )}
    </span>
  )
}
