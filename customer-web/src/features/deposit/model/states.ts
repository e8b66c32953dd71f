import type { Wire } from '@/api/client'
import type { TextKey } from '@/i18n/i18n'
import type { IconName } from '@/ui/icons/icon-shapes'
import type { TagProps } from '@/ui/tag'

type Deposit = Wire['Recharge']
type State = Deposit['state']

/** The trader has to act. */
export function traderActs(state: State): boolean {
  return state === 'awaiting_transfer' || state === 'more_info'
}

/** The desk has to act. */
export function staffActs(state: State): boolean {
  return state === 'proof_submitted' || state === 'in_review' || state === 'approved'
}

/** Not decided yet. */
export function isUnderWay(state: State): boolean {
  return traderActs(state) || staffActs(state)
}

type Look = { tone: NonNullable<TagProps['tone']>; icon: IconName }

const looks: Record<State, Look> = {
  awaiting_transfer: { tone: 'warning', icon: 'clock' },
  proof_submitted: { tone: 'info', icon: 'clock' },
  in_review: { tone: 'info', icon: 'search' },
  more_info: { tone: 'warning', icon: 'warn' },
  approved: { tone: 'info', icon: 'shield' },
  credited: { tone: 'success', icon: 'check' },
  rejected: { tone: 'error', icon: 'close' },
  expired: { tone: 'neutral', icon: 'clock' },
  cancelled: { tone: 'neutral', icon: 'close' },
}

export function lookOf(state: State): Look {
  return looks[state]
}

export type TimelinePoint = {
  text: TextKey
  /** `ended` stops the way before its goal. */
  phase: 'done' | 'now' | 'todo' | 'ended'
  at?: number | undefined
}

/** The way of a deposit, from the announcement to the credit or to where it ended. */
export function timelineOf(deposit: Deposit): TimelinePoint[] {
  const { state, createdAt, proofAt, decidedAt } = deposit
  const announced: TimelinePoint = {
    text: 'deposit.timeline.announced',
    phase: 'done',
    at: createdAt,
  }
  const proved: TimelinePoint = { text: 'deposit.timeline.proof', phase: 'done', at: proofAt }
  const review = (phase: TimelinePoint['phase']): TimelinePoint => ({
    text: 'deposit.timeline.review',
    phase,
  })
  const goal: TimelinePoint = { text: 'deposit.timeline.credited', phase: 'todo' }
  switch (state) {
    case 'awaiting_transfer':
      return [announced, { text: 'deposit.timeline.proof', phase: 'now' }, review('todo'), goal]
    case 'proof_submitted':
    case 'in_review':
      return [announced, proved, review('now'), goal]
    case 'more_info':
      return [announced, proved, { text: 'deposit.timeline.answer', phase: 'now' }, goal]
    case 'approved':
      return [
        announced,
        proved,
        review('done'),
        { text: 'deposit.timeline.second', phase: 'now' },
        goal,
      ]
    case 'credited':
      return [announced, proved, review('done'), { ...goal, phase: 'done', at: decidedAt }]
    case 'rejected':
    case 'expired':
    case 'cancelled':
      return [
        announced,
        ...(proofAt === undefined ? [] : [proved]),
        { text: `deposit.state.${state}.name`, phase: 'ended', at: decidedAt },
      ]
    default:
      return assertNever(state)
  }
}

const reasons = [
  'not_received',
  'wrong_reference',
  'sender_differs',
  'amount_differs',
  'proof_unreadable',
  'duplicate',
] as const

/** The text of a coded reason; one that this version does not know gets a general one. */
export function reasonKey(reason: string): TextKey {
  const known = reasons.find((one) => one === reason)
  return known ? `deposit.reason.${known}` : 'deposit.reason.other'
}

function assertNever(state: never): never {
  throw new Error(`unknown state ${String(state)}`)
}
