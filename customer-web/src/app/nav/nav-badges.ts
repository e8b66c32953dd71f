import { create } from 'zustand'

/** Badges on navigation items: open positions on Orders, unread messages on the bell. */
export const useNavBadges = create<Record<string, number>>(() => ({}))

/** Sets the count of the item with this path; 0 removes it. */
export function setNavBadge(path: string, count: number): void {
  useNavBadges.setState({ [path]: count })
}

/** A count shortened to fit a badge. */
export function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count)
}
