import type { Wire } from '@/api/client'
import type { TextKey } from '@/i18n/i18n'
import type { IconName } from '@/ui/icons/icon-shapes'
import type { TagProps } from '@/ui/tag'

type Withdrawal = Wire['Withdraw']
type State = Withdrawal['state']

type Look = {
  tone: NonNullable<TagProps['tone']>
  icon: IconName
  /** Who acts next; undefined once it has ended. */
  owner?: 'desk' | 'trader' | 'bank' | 'compliance'
  /** The promise in this state, if any. */
  promise?: 'decision' | 'transfer' | 'arrival' | 'unknown'
}

const looks: Record<State, Look> = {
  review: { tone: 'info', icon: 'search', owner: 'desk', promise: 'decision' },
  more_info: { tone: 'warning', icon: 'warn', owner: 'trader' },
  approved_1: { tone: 'info', icon: 'shield', owner: 'desk', promise: 'decision' },
  approved_2: { tone: 'info', icon: 'shield', owner: 'desk', promise: 'decision' },
  queued: { tone: 'info', icon: 'clock', owner: 'desk', promise: 'transfer' },
  processing: { tone: 'info', icon: 'send', owner: 'desk', promise: 'transfer' },
  sent: { tone: 'info', icon: 'send', owner: 'bank', promise: 'arrival' },
  completed: { tone: 'success', icon: 'check' },
  cancelled: { tone: 'neutral', icon: 'close' },
  rejected: { tone: 'error', icon: 'close' },
  failed: { tone: 'error', icon: 'close' },
  returned: { tone: 'warning', icon: 'undo' },
  frozen: { tone: 'warning', icon: 'lock', owner: 'compliance' },
  outcome_unknown: { tone: 'warning', icon: 'search', owner: 'desk', promise: 'unknown' },
}

export function appearanceOf(state: State): Look {
  return looks[state]
}

/** Not ended yet. */
export function isUnderWay(state: State): boolean {
  return looks[state].owner !== undefined
}

/** States with a public reason; reasons left from an earlier state are not shown. */
const withReason: readonly State[] = ['more_info', 'rejected', 'failed', 'returned', 'frozen']

export type Stage = {
  text: TextKey
  /** `ended` is a stop before the goal. */
  phase: 'done' | 'now' | 'todo' | 'ended'
  at?: number | undefined
}

/** The stages of a withdrawal, from the request to the arrival or the end; with times if known. */
export function stagesOf(withdrawal: Withdrawal): Stage[] {
  const { state, createdAt, movedAt, queuedAt, sentAt, endedAt } = withdrawal
  const done = (text: TextKey, at?: number): Stage => ({ text, phase: 'done', at })
  const now = (text: TextKey): Stage => ({ text, phase: 'now' })
  const todo = (text: TextKey): Stage => ({ text, phase: 'todo' })
  const ended = (): Stage => ({ text: `withdraw.state.${state}.name`, phase: 'ended', at: endedAt })

  const asked = done('withdraw.stage.asked', createdAt)
  const first = 'withdraw.stage.first'
  const second = 'withdraw.stage.second'
  const way = 'withdraw.stage.way'
  const sent = 'withdraw.stage.sent'
  const arrived = 'withdraw.stage.arrived'
  const approved = [asked, done(first), done(second, queuedAt)]
  const rest = [todo(way), todo(sent), todo(arrived)]

  switch (state) {
    case 'review':
      return [asked, now(first), todo(second), ...rest]
    case 'more_info':
      return [asked, now('withdraw.stage.answer'), todo(first), todo(second), ...rest]
    case 'approved_1':
      return [asked, done(first, movedAt), now(second), ...rest]
    case 'approved_2':
      return [asked, done(first), done(second, movedAt), now('withdraw.stage.third'), ...rest]
    case 'frozen':
      return queuedAt === undefined
        ? [asked, now('withdraw.state.frozen.name'), todo(first), todo(second), ...rest]
        : [...approved, now('withdraw.state.frozen.name'), ...rest]
    case 'queued':
    case 'processing':
      return [...approved, now(way), todo(sent), todo(arrived)]
    case 'outcome_unknown':
      return [...approved, now(nameKey(withdrawal)), todo(sent), todo(arrived)]
    case 'sent':
      return [...approved, done(way), done(sent, sentAt), now(arrived)]
    case 'completed':
      return [...approved, done(way), done(sent, sentAt), done(arrived, endedAt)]
    case 'returned':
      return [...approved, done(way), done(sent, sentAt), ended()]
    case 'failed':
      return [...approved, ended()]
    case 'cancelled':
    case 'rejected':
      return [asked, ended()]
    default:
      return assertNever(state)
  }
}

const reasons = [
  'holder_differs',
  'account_closed',
  'source_of_funds',
  'details_wrong',
  'not_paid',
  'under_examination',
] as const

/** The text key of the public reason, if the state has one; unknown reasons get a general text. */
export function reasonKey({ state, reason }: Withdrawal): TextKey | null {
  if (reason === undefined || !withReason.includes(state)) return null
  const known = reasons.find((one) => one === reason)
  return known ? `withdraw.reason.${known}` : 'withdraw.reason.other'
}

const onChain = ['sent', 'completed', 'failed', 'outcome_unknown'] as const

/** The text key of a state's name; crypto withdrawals involve a provider instead of a bank. */
export function nameKey({ kind, state }: Pick<Withdrawal, 'kind' | 'state'>): TextKey {
  return kind === 'standard' && state === 'outcome_unknown'
    ? 'withdraw.coins.outcome_unknown.name'
    : `withdraw.state.${state}.name`
}

/** The text key of a state's meaning; crypto withdrawals have their own texts without banks. */
export function meaningKey({ kind, state }: Pick<Withdrawal, 'kind' | 'state'>): TextKey {
  const special = kind === 'standard' && onChain.find((one) => one === state)
  return special ? `withdraw.coins.${special}.meaning` : `withdraw.state.${state}.meaning`
}

/** The text key of who acts next. */
export function ownerKey(
  { kind }: Pick<Withdrawal, 'kind'>,
  owner: NonNullable<Look['owner']>,
): TextKey {
  return owner === 'bank' && kind === 'standard'
    ? 'withdraw.owner.chain'
    : `withdraw.owner.${owner}`
}

function assertNever(state: never): never {
  throw new Error(`unknown state ${String(state)}`)
}
