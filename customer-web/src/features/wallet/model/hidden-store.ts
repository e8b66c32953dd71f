import { create } from 'zustand'

/** Whether amounts are covered, until the app is loaded anew. */
export const useHidden = create<{ hidden: boolean }>(() => ({ hidden: false }))

export function toggleHidden(): void {
  useHidden.setState(({ hidden }) => ({ hidden: !hidden }))
}
