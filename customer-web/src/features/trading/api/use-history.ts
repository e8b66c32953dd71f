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

/** Closed positions, as many pages as were asked for. */
export function useHistoryList(query: HistoryQuery) {
  useFreshHistory()
  return useInfiniteQuery(historyListQuery(query))
}

/** Fills, as many pages as were asked for. */
export function useFillList(query: FillQuery) {
  useFreshHistory()
  return useInfiniteQuery(fillListQuery(query))
}

/** A fill that the server made by itself changes the lists as well. */
function useFreshHistory(): void {
  const client = useQueryClient()
  useEffect(
    () => onAccountEvent(({ event }) => event === 'fill' && void refreshHistory(client)),
    [client],
  )
}
