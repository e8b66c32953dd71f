import { lazy, Suspense } from 'react'

const NoticeBell = lazy(() => import('./notice-bell'))

/** The way to the notices; its count comes a little later than the screen. */
export function Bell() {
  return (
    <Suspense>
      <NoticeBell />
    </Suspense>
  )
}
