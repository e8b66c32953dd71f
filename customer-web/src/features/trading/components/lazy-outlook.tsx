import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import type { TicketOutlookProps } from './ticket-outlook'

const LazyOutlook = lazy(async () => ({
  default: (await withTexts(() => import('./margin-parts'), 'waiting')).TicketOutlook,
}))

/** How the account would stand after an order: further lines of the ticket's list. */
export function TicketOutlook(props: TicketOutlookProps) {
  return (
    <Suspense>
      <LazyOutlook {...props} />
    </Suspense>
  )
}
