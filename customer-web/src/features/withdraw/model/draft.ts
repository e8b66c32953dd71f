import type { WithdrawalWay } from '../api/withdrawals'

/** What was typed and not asked for yet. */
export type Draft = { kind?: WithdrawalWay['kind']; amount?: string }

let stored: { owner: string; draft: Draft } | null = null

/** The draft of a trader, as it was left for another screen; nobody else's. */
export function draftOf(owner: string): Draft {
  return stored?.owner === owner ? stored.draft : {}
}

/** Keeps what is typed as long as the page lives. */
export function saveDraft(owner: string, part: Draft): void {
  stored = { owner, draft: { ...draftOf(owner), ...part } }
}

/** Forgets it: it was asked for. */
export function clearDraft(): void {
  stored = null
}
