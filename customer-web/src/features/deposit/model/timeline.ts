import type { Wire } from '@/api/client'
import type { TextKey } from '@/i18n/i18n'

type Deposit = Wire['Recharge']

export type TimelinePoint = {
  text: TextKey
  /** `ended` is a stop before the goal. */
  phase: 'done' | 'now' | 'todo' | 'ended'
  at?: number | undefined
}

/** The deposit's timeline, from the announcement to the credit or the end. */
export function timelineOf(deposit: Deposit): TimelinePoint[] {
  if (deposit.kind === 'standard') return cryptoDepositTimeline(deposit)
  if (deposit.kind !== 'bank') return providerDepositTimeline(deposit)
  const { state, createdAt, proofAt, decidedAt } = deposit
  const announced: TimelinePoint = {
    text: 'deposit.timeline.announced',
    phase: 'done',
    at: createdAt,
  }
  // Transfers that staff match from the bank statement have no proof.
  const proved: TimelinePoint[] =
    proofAt === undefined ? [] : [{ text: 'deposit.timeline.proof', phase: 'done', at: proofAt }]
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
      return [announced, ...proved, review('now'), goal]
    case 'more_info':
      return [announced, ...proved, { text: 'deposit.timeline.answer', phase: 'now' }, goal]
    case 'approved':
      return [
        announced,
        ...proved,
        review('done'),
        { text: 'deposit.timeline.second', phase: 'now' },
        goal,
      ]
    case 'credited':
      return [announced, ...proved, review('done'), { ...goal, phase: 'done', at: decidedAt }]
    case 'rejected':
    case 'expired':
    case 'cancelled':
      return [
        announced,
        ...proved,
        { text: `deposit.state.${state}.name`, phase: 'ended', at: decidedAt },
      ]
    default:
      return [announced, goal]
  }
}

/** The timeline of a provider deposit. */
function providerDepositTimeline({ state, createdAt, decidedAt }: Deposit): TimelinePoint[] {
  const announced: TimelinePoint = {
    text: 'deposit.timeline.announced',
    phase: 'done',
    at: createdAt,
  }
  const point = (text: TextKey, phase: TimelinePoint['phase']): TimelinePoint => ({ text, phase })
  const goal = point('deposit.timeline.credited', 'todo')
  switch (state) {
    case 'created':
    case 'redirected':
    case 'awaiting_payment':
      return [
        announced,
        point('deposit.timeline.payment', 'now'),
        point('deposit.timeline.confirmation', 'todo'),
        goal,
      ]
    case 'provider_pending':
    case 'marked_paid':
      return [
        announced,
        point('deposit.timeline.payment', 'done'),
        point('deposit.timeline.confirmation', 'now'),
        goal,
      ]
    case 'credited':
      return [
        announced,
        point('deposit.timeline.payment', 'done'),
        { ...goal, phase: 'done', at: decidedAt },
      ]
    case 'rejected':
    case 'expired':
    case 'cancelled':
    case 'failed':
      return [announced, { text: `deposit.state.${state}.name`, phase: 'ended', at: decidedAt }]
    case 'charged_back':
      return [
        announced,
        { ...goal, phase: 'done', at: decidedAt },
        point('deposit.state.charged_back.name', 'ended'),
      ]
    default:
      return [
        announced,
        point('deposit.timeline.payment', 'done'),
        point('deposit.timeline.review', 'now'),
        goal,
      ]
  }
}

/** The timeline of a crypto deposit: seen on the chain, confirmed, credited, or ended. */
function cryptoDepositTimeline({ state, createdAt, decidedAt }: Deposit): TimelinePoint[] {
  const seen: TimelinePoint = { text: 'deposit.timeline.seen', phase: 'done', at: createdAt }
  const goal: TimelinePoint = { text: 'deposit.timeline.credited', phase: 'todo' }
  switch (state) {
    case 'detected':
      return [seen, { text: 'deposit.timeline.confirming', phase: 'now' }, goal]
    case 'aml_hold':
    case 'below_min':
      return [seen, { text: `deposit.state.${state}.name`, phase: 'now' }, goal]
    case 'wrong_asset':
    case 'refunding':
      return [
        seen,
        { text: `deposit.state.${state}.name`, phase: 'now' },
        { text: 'deposit.state.refunded.name', phase: 'todo' },
      ]
    case 'credited':
      return [seen, { ...goal, phase: 'done', at: decidedAt }]
    case 'reversed':
      return [
        seen,
        { ...goal, phase: 'done', at: decidedAt },
        { text: 'deposit.state.reversed.name', phase: 'ended' },
      ]
    default:
      return [seen, { text: `deposit.state.${state}.name`, phase: 'ended', at: decidedAt }]
  }
}
