import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onAccountEvent } from '@/live/live'
import {
  type FillQuery,
  fillListQuery,
  type HistoryQuery,
  historyListQuery,
  historyPageQuery,
} from './history'
import { refreshHistory } from './orders'

/** One page of closed positions. */
export function useHistoryPage(query: HistoryQuery, page: number) {
  useFreshHistory()
  return useQuery(historyPageQuery(query, page))
}

/** Closed positions of all loaded pages. */
export function useHistoryList(query: HistoryQuery) {
  useFreshHistory()
  return useInfiniteQuery(historyListQuery(query))
}

/** Fills of all loaded pages. */
export function useFillList(query: FillQuery) {
  useFreshHistory()
  return useInfiniteQuery(fillListQuery(query))
}

/** Refetches the lists on fills that the server made by itself. */
export function useFreshHistory(): void {
  const client = useQueryClient()
  useEffect(
    () => onAccountEvent(({ event }) => event === 'fill' && void refreshHistory(client)),
    [client],
  )
}
