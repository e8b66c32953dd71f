import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { type Restriction, useRestrictions } from '../api/restrictions'
import type { RestrictionNoteProps } from './restriction-note'

const LazyNote = lazy(async () => ({
  default: (await withTexts(() => import('./restriction-note'))).RestrictionNote,
}))

export type RestrictionsProps = { kind?: Restriction['kind'] }

/** A note for each restriction; usually none. */
export function Restrictions({ kind }: RestrictionsProps) {
  return useRestrictions(kind).map((one) => (
    <LazyRestrictionNote key={one.kind} restriction={one} />
  ))
}

/** A restriction note, loaded on first use. */
export function LazyRestrictionNote(props: RestrictionNoteProps) {
  return (
    <Suspense>
      <LazyNote {...props} />
    </Suspense>
  )
}
