import { api, call } from '@/api/client'
import { isLoggedIn } from '@/session/session-store'
import { guestId } from '@/storage/guest-id'

/** Identifies a visitor in reach counts; the server only stores a hash. Traders are identified by the session. */
export function visitorParams(): { guestId?: string } {
  return isLoggedIn() ? {} : { guestId: guestId() }
}

/** Counts a followed link; failures are ignored. */
export function reportClick(id: number): void {
  call(api.POST('/client/content/insertClick', { body: { id, ...visitorParams() } })).catch(
    () => {},
  )
}

const seen = new Set<number>()

/** Counts items as seen, each once per visit. */
export function reportSeen(...ids: number[]): void {
  const fresh = ids.filter((id) => !seen.has(id))
  if (fresh.length === 0) return
  for (const id of fresh) seen.add(id)
  call(api.POST('/client/content/insertSeen', { body: { ids: fresh, ...visitorParams() } })).catch(
    () => {},
  )
}
