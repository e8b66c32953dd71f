import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import styles from './positions-panel.module.css'

const load = () => withTexts(() => import('./margin-parts'), 'waiting')

const LazyBar = lazy(async () => ({ default: (await load()).AccountBar }))
const LazyStopOut = lazy(async () => ({ default: (await load()).StopOutLine }))

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
