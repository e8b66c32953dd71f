import { useTranslation } from 'react-i18next'
import { TimeText } from '@/ui/time-text'
import type { WaitingOrder } from '../api/waiting'

/** How long an order waits. */
export function ExpiryText({ order }: { order: WaitingOrder }) {
  const { t } = useTranslation()
  if (order.timeInForce === 'gtc' || order.expiresAt === undefined)
    return <>{t(`waiting.force.${order.timeInForce}`)}</>
  return <TimeText at={order.expiresAt} />
}
