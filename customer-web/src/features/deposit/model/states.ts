import type { Wire } from '@/api/client'
import type { TextKey } from '@/i18n/i18n'
import type { IconName } from '@/ui/icons/icon-shapes'
import type { TagProps } from '@/ui/tag'

type Deposit = Wire['Recharge']
type State = Deposit['state']

export function awaitsTrader(state: State): boolean {
  return state === 'awaiting_transfer' || state === 'more_info'
}

export function awaitsStaff(state: State): boolean {
  switch (state) {
    case 'proof_submitted':
    case 'in_review':
    case 'approved':
    case 'provider_unknown':
    case 'appeal':
    case 'aml_hold':
    case 'below_min':
    case 'wrong_asset':
    case 'refunding':
      return true
    default:
      return false
  }
}

/** The provider decides the next step; the trader may have to pay there. */
export function awaitsProvider(state: State): boolean {
  switch (state) {
    case 'created':
    case 'redirected':
    case 'provider_pending':
    case 'awaiting_payment':
    case 'marked_paid':
      return true
    default:
      return false
  }
}

/** A merchant has made an offer that the trader has not accepted. */
export function awaitsAgreement({ state, offer }: Deposit): boolean {
  return state === 'awaiting_payment' && offer !== undefined && offer.agreedAt === undefined
}

/** A crypto deposit waits for network confirmations. */
export function awaitsConfirmations(state: State): boolean {
  return state === 'detected'
}

/** Not decided yet. */
export function isUnderWay(state: State): boolean {
  return (
    awaitsTrader(state) || awaitsStaff(state) || awaitsProvider(state) || awaitsConfirmations(state)
  )
}

type Appearance = { tone: NonNullable<TagProps['tone']>; icon: IconName }

const appearances: Record<State, Appearance> = {
  awaiting_transfer: { tone: 'warning', icon: 'clock' },
  proof_submitted: { tone: 'info', icon: 'clock' },
  in_review: { tone: 'info', icon: 'search' },
  more_info: { tone: 'warning', icon: 'warn' },
  approved: { tone: 'info', icon: 'shield' },
  credited: { tone: 'success', icon: 'check' },
  rejected: { tone: 'error', icon: 'close' },
  expired: { tone: 'neutral', icon: 'clock' },
  cancelled: { tone: 'neutral', icon: 'close' },
  created: { tone: 'info', icon: 'clock' },
  redirected: { tone: 'warning', icon: 'clock' },
  provider_pending: { tone: 'info', icon: 'clock' },
  provider_unknown: { tone: 'info', icon: 'search' },
  failed: { tone: 'error', icon: 'close' },
  charged_back: { tone: 'error', icon: 'warn' },
  awaiting_payment: { tone: 'warning', icon: 'clock' },
  marked_paid: { tone: 'info', icon: 'clock' },
  appeal: { tone: 'info', icon: 'shield' },
  detected: { tone: 'info', icon: 'clock' },
  aml_hold: { tone: 'info', icon: 'search' },
  below_min: { tone: 'warning', icon: 'warn' },
  wrong_asset: { tone: 'warning', icon: 'warn' },
  dropped: { tone: 'neutral', icon: 'close' },
  refunding: { tone: 'info', icon: 'clock' },
  refunded: { tone: 'neutral', icon: 'check' },
  reversed: { tone: 'error', icon: 'warn' },
}

export function appearanceOf(state: State): Appearance {
  return appearances[state]
}

/** The text key of a state; some states have another meaning for a provider deposit. */
export function stateTextKey(deposit: Deposit, part: 'meaning' | 'next'): TextKey {
  const { kind, state } = deposit
  switch (state) {
    case 'awaiting_payment':
      if (awaitsAgreement(deposit)) return `deposit.offer.${part}`
      break
    case 'in_review':
    case 'approved':
    case 'expired':
    case 'rejected':
    case 'cancelled':
      if (kind !== 'bank') return `deposit.through.${state}.${part}`
      break
    default:
  }
  return `deposit.state.${state}.${part}`
}

/** The text keys of the deadline, before and after it has passed; undefined if none was promised. */
export function deadlineTextKeys(deposit: Deposit): { before: TextKey; late: TextKey } | undefined {
  const { kind, state, offer } = deposit
  if (state === 'marked_paid' && offer !== undefined) {
    return { before: 'deposit.offer.promised', late: 'deposit.offer.late' }
  }
  if (!awaitsStaff(state)) return undefined
  return {
    before: 'deposit.promised',
    late: kind === 'standard' ? 'deposit.coins.late' : 'deposit.late',
  }
}

const reasons = [
  'not_received',
  'wrong_reference',
  'sender_differs',
  'amount_differs',
  'proof_unreadable',
  'duplicate',
  'provider_refused',
  'payment_failed',
] as const

/** The text key of a reason code; unknown codes get a general text. */
export function reasonKey(reason: string): TextKey {
  const known = reasons.find((one) => one === reason)
  return known ? `deposit.reason.${known}` : 'deposit.reason.other'
}
