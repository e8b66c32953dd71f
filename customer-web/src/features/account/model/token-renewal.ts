import { replaceToken, tokenAge } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { renewToken } from '../api/renew-token'

const DAY_MS = 24 * 3_600_000
const LOOK_EVERY_MS = 3_600_000

/** Exchanges the token for a fresh one when it is a day old; returns how to stop. A refusal or a lost answer changes nothing: the old token works on. */
export function startRenewal(): () => void {
  const look = async () => {
    const before = storage.read('token')
    if (before === null || tokenAge() < DAY_MS) return
    try {
      replaceToken(before, await renewToken())
    } catch {
      // Another tab was first, or there is no network: the next look tries again.
    }
  }
  void look()
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
