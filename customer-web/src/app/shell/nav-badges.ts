import { create } from 'zustand'

/** Small counts on navigation items: open positions on Orders, unread messages on the bell. */
export const useNavBadges = create<Record<string, number>>(() => ({}))

/** Sets the count on the item with this path; 0 removes it. */
export function setNavBadge(path: string, count: number): void {
  useNavBadges.setState({ [path]: count })
}

/** A count as it fits a badge. */
export function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count)
}
