import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { CONTENT } from '@/features/notice/api/reader'
import { onContent } from '@/live/live'

/** So long the apps take at most, each its own while, to ask anew: they all hear it at once. */
const SPREAD_MS = 1000

/** Fetches anew what is on screen of what is published, when there is something else. */
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
