import { lazy, Suspense } from 'react'

const NoticeBell = lazy(() => import('./notice-bell'))

/** Links to the notices; its badge loads after the screen. */
export function Bell() {
  return (
    <Suspense>
      <NoticeBell />
    </Suspense>
  )
}
