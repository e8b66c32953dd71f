import { useAccount } from '@/live/account-store'
import { setNavBadge } from '../nav/nav-badges'

const ORDER_PATH = '/order'

let following = false

/** Keeps the count of open positions on the Orders tab up to date from the first call on. */
export function trackOpenPositions(): void {
  if (following) return
  following = true
  const show = ({ positions }: ReturnType<typeof useAccount.getState>) =>
    setNavBadge(ORDER_PATH, positions?.length ?? 0)
  show(useAccount.getState())
  useAccount.subscribe(show)
}
