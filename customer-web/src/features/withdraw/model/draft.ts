import type { WithdrawalWay } from '../api/withdrawals'

/** What was typed and not asked for yet. */
export type Draft = { kind?: WithdrawalWay['kind']; amount?: string }

let kept: { owner: string; draft: Draft } | null = null

/** The draft of a trader, as it was left for another screen; nobody else's. */
export function draftOf(owner: string): Draft {
  return kept?.owner === owner ? kept.draft : {}
}

/** Keeps what is typed as long as the page lives. */
export function keepDraft(owner: string, part: Draft): void {
  kept = { owner, draft: { ...draftOf(owner), ...part } }
}

/** Forgets it: it was asked for. */
export function dropDraft(): void {
  kept = null
}
