import { useTranslation } from 'react-i18next'
import type { PendingOrder } from '../api/pending-orders'

/** Why an order ended without a fill, in words. */
export function EndReason({ order: { status, reason } }: { order: PendingOrder }) {
  const { t } = useTranslation()
  if (reason) return t(`history.ended.${reason}`)
  return t(status === 'expired' ? 'history.ended.expired' : 'history.ended.cancelled')
}
