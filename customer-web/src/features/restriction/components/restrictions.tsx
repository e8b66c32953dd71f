import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { type Restriction, useRestrictions } from '../api/restrictions'
import { Closing } from './closing'
import type { RestrictionNoteProps } from './restriction-note'

const LazyNote = lazy(async () => ({
  default: (await withTexts(() => import('./restriction-note'))).RestrictionNote,
}))

export type RestrictionsProps = { kind?: Restriction['kind'] }

/** A note for each restriction, and for an account that is closing; usually none. */
export function Restrictions({ kind }: RestrictionsProps) {
  const restrictions = useRestrictions(kind)
  return (
    <>
      <Closing />
      {restrictions.map((one) => (
        <LazyRestrictionNote key={one.kind} restriction={one} />
      ))}
    </>
  )
}

/** A restriction note, loaded on first use. */
export function LazyRestrictionNote(props: RestrictionNoteProps) {
  return (
    <Suspense>
      <LazyNote {...props} />
    </Suspense>
  )
}
