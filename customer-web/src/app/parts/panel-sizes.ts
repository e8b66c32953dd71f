import { create } from 'zustand'
import type { StoredPanels } from '@/storage/entries'
import { storage } from '@/storage/storage'

export type Panel = keyof StoredPanels
type Sizes = { [P in Panel]?: number }

/** The limits of the terminal's panels in pixels. */
export const panelLimits: Record<Panel, { min: number; max: number }> = {
  list: { min: 220, max: 420 },
  ticket: { min: 300, max: 420 },
  bottom: { min: 200, max: 700 },
}

/** The usual sizes; a screen of 1920 px and more has room for larger ones. */
export function usualSizes(large: boolean): Record<Panel, number> {
  return large ? { list: 340, ticket: 380, bottom: 360 } : { list: 292, ticket: 320, bottom: 280 }
}

function readSizes(): Sizes {
  const stored = storage.read('panels') ?? {}
  return Object.fromEntries(
    (Object.keys(panelLimits) as Panel[]).flatMap((panel) => {
      const size = stored[panel]
      const { min, max } = panelLimits[panel]
      return size === undefined || size < min || size > max ? [] : [[panel, size]]
    }),
  )
}

/** The sizes that the trader gave the terminal's panels on this device. */
export const usePanelSizes = create<Sizes>(readSizes)

/** Sets and stores the size of a panel; null returns it to the usual one. */
export function setPanelSize(panel: Panel, size: number | null): void {
  const { [panel]: _, ...rest } = usePanelSizes.getState()
  const sizes = size === null ? rest : { ...rest, [panel]: size }
  usePanelSizes.setState(sizes, true)
  storage.write('panels', sizes)
}

storage.onChangeElsewhere('panels', () => usePanelSizes.setState(readSizes(), true))
