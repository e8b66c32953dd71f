import type { WithdrawalWay } from '../api/withdrawals'

/** Typed input that was not submitted. */
export type Draft = { kind?: WithdrawalWay['kind']; amount?: string }

let stored: { owner: string; draft: Draft } | null = null

/** The draft that a trader left on the form; other traders can't see it. */
export function draftOf(owner: string): Draft {
  return stored?.owner === owner ? stored.draft : {}
}

/** Keeps the input until the page is reloaded. */
export function saveDraft(owner: string, part: Draft): void {
  stored = { owner, draft: { ...draftOf(owner), ...part } }
}

/** Clears the draft after it was submitted. */
export function clearDraft(): void {
  stored = null
}
