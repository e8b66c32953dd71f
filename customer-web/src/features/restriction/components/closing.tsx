import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { useClosesAt } from '@/session/info-query'

const LazyNote = lazy(async () => ({
  default: (await withTexts(() => import('./closing-note'))).ClosingNote,
}))

/** A note while the account is closing, with the way to keep it; usually nothing. */
export function Closing() {
  const closesAt = useClosesAt()
  if (closesAt === undefined) return null
  return (
    <Suspense>
      <LazyNote at={closesAt} />
    </Suspense>
  )
}
