import type { CallFailure } from '@/api/client'
import type { Restriction } from './restrictions'

/** The restriction in a refused log-in; undefined for any other failure. */
export function restrictionIn(failure: CallFailure | null): Restriction | undefined {
  if (failure?.code !== 'restriction.login' || !failure.args?.why) return undefined
  const until = Number(failure.args.until)
  return {
    kind: 'login',
    reason: failure.args.why as Restriction['reason'],
    ...(until > 0 ? { until } : {}),
  }
}
