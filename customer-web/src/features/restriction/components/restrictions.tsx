import { lazy, Suspense } from 'react'
import { withTexts } from '@/i18n/i18n'
import { type Restriction, useRestrictions } from '../api/restrictions'
import type { RestrictionNoteProps } from './restriction-note'

const LazyNote = lazy(async () => ({
  default: (await withTexts(() => import('./restriction-note'))).RestrictionNote,
}))

export type RestrictionsProps = { kind?: Restriction['kind'] }

/** A note for each thing that staff keep the trader from; nothing for nearly everybody. */
export function Restrictions({ kind }: RestrictionsProps) {
  return useRestrictions(kind).map((one) => (
    <LazyRestrictionNote key={one.kind} restriction={one} />
  ))
}

/** One note, loaded when there is something to say. */
export function LazyRestrictionNote(props: RestrictionNoteProps) {
  return (
    <Suspense>
      <LazyNote {...props} />
    </Suspense>
  )
}
