import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CONTENT } from '@/features/notice/api/reader'
import { onContent } from '@/live/live'

/** Clients refetch within this random delay, because all of them get the event at once. */
const SPREAD_MS = 1000

/** Refetches published content on screen when it changes. */
export function useContentUpdates(client: QueryClient): void {
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const stop = onContent(() => {
      clearTimeout(waiting)
      waiting = setTimeout(
        () => void client.invalidateQueries({ queryKey: [CONTENT] }),
        Math.random() * SPREAD_MS,
      )
    })
    return () => {
      stop()
      clearTimeout(waiting)
    }
  }, [client])
}
