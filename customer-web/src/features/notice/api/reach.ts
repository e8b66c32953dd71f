import { api, call } from '@/api/client'
import { isLoggedIn } from '@/features/session/model/session-store'
import { guestId } from '@/storage/guest-id'

/** What a visitor is counted as; the server keeps its hash alone. A trader is known by the session. */
export function visitorParams(): { guestId?: string } {
  return isLoggedIn() ? {} : { guestId: guestId() }
}

/** Counts a followed link. Nobody waits for it, and nobody is told when it fails. */
export function reportClick(id: number): void {
  call(api.POST('/client/content/insertClick', { body: { id, ...visitorParams() } })).catch(
    () => {},
  )
}

const seen = new Set<number>()

/** Counts a reader to items, each once while the app is open. */
export function reportSeen(...ids: number[]): void {
  const fresh = ids.filter((id) => !seen.has(id))
  if (fresh.length === 0) return
  for (const id of fresh) seen.add(id)
  call(api.POST('/client/content/insertSeen', { body: { ids: fresh, ...visitorParams() } })).catch(
    () => {},
  )
}
