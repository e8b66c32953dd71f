import { type Restriction, useRestrictions } from '@/features/restriction/api/restrictions'
import { useIsDemo } from '@/features/session/model/session-store'

/** What keeps the trader from new orders; nothing does from practice. */
export function useTradeRestrictions(): readonly Restriction[] {
  const restrictions = useRestrictions('trade')
  return useIsDemo() ? [] : restrictions
}
