import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import styles from './deals-panel.module.css'
import type { TicketOutlookProps } from './ticket-outlook'

const load = () => withTexts(() => import('./margin-parts'), 'waiting')

const LazyBar = lazy(async () => ({ default: (await load()).AccountBar }))
const LazyStopOut = lazy(async () => ({ default: (await load()).StopOutLine }))
const LazyOutlook = lazy(async () => ({ default: (await load()).TicketOutlook }))

/** The account in one line. */
export function AccountBar() {
  return (
    <Suspense fallback={<div className={styles.bar} />}>
      <LazyBar />
    </Suspense>
  )
}

/** What a stop-out would close first, and the way to past warnings. */
export function StopOutLine() {
  return (
    <Suspense>
      <LazyStopOut />
    </Suspense>
  )
}

/** How the account would stand after an order: further lines of the ticket's list. */
export function TicketOutlook(props: TicketOutlookProps) {
  return (
    <Suspense>
      <LazyOutlook {...props} />
    </Suspense>
  )
}
