import { type Restriction, useRestrictions } from '@/features/restriction/api/restrictions'
import { useIsDemo } from '@/session/session-store'

/** Restrictions on new orders; none for demo accounts. */
export function useTradeRestrictions(): readonly Restriction[] {
  const restrictions = useRestrictions('trade')
  return useIsDemo() ? [] : restrictions
}
