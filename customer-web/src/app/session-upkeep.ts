import { startRenewal } from '@/features/account/model/token-renewal'
import { startSync } from '@/features/preference/model/sync'

/** What runs as long as a registered trader is logged in; returns how to stop it. */
export function startUpkeep(userId: string): () => void {
  const stops = [startRenewal(), startSync(userId)]
  return () => {
    for (const stop of stops) stop()
  }
}
