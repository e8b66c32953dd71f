import { useTranslation } from 'react-i18next'
import { TimeText } from '@/ui/time-text'
import type { PendingOrder } from '../../api/pending-orders'

export type ExpiryTextProps = {
  order: { timeInForce: PendingOrder['timeInForce']; expiresAt?: number | undefined }
}

/** The expiry of an order. */
export function ExpiryText({ order }: ExpiryTextProps) {
  const { t } = useTranslation()
  if (order.timeInForce === 'gtc' || order.expiresAt === undefined)
    return <>{t(`waiting.force.${order.timeInForce}`)}</>
  return <TimeText at={order.expiresAt} />
}
