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

/** The first stop-out candidate, and past margin calls. */
export function StopOutLine() {
  return (
    <Suspense>
      <LazyStopOut />
    </Suspense>
  )
}
