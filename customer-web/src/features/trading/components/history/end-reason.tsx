import { useTranslation } from 'react-i18next'
import type { PendingOrder } from '../../api/pending-orders'

/** The reason an order ended without a fill. */
export function EndReason({ order: { status, reason } }: { order: PendingOrder }) {
  const { t } = useTranslation()
  if (reason) return t(`history.ended.${reason}`)
  return t(status === 'expired' ? 'history.ended.expired' : 'history.ended.cancelled')
}
