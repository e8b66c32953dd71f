import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import { useSession } from '@/session/session-store'
import { CONTENT } from './reader'
import { useSetUnread } from './unread'

export type Message = Wire['UserMsg']

const KEY = [CONTENT, 'messages'] as const

// Message texts are composed here, so the language is not part of the key.
function useOwner(): string {
  return useSession(({ user }) => user?.userId ?? '')
}

function findPage(query: { page?: number; size: number; next?: number }) {
  return call(api.GET('/client/userMsg/findUserMsgPage', { params: { query } }))
}

/** One numbered page of all messages. */
export function useMessagePage(page: number) {
  return useQuery({
    queryKey: [...KEY, useOwner(), 'page', page],
    queryFn: () => findPage({ page, size: PAGINATION_PAGE_SIZE }),
    placeholderData: keepPreviousData,
  })
}

/** All messages, page by page. */
export function useMessageList() {
  return useInfiniteQuery({
    queryKey: [...KEY, useOwner(), 'list'],
    queryFn: ({ pageParam }) =>
      findPage({ size: PAGINATION_PAGE_SIZE, ...(pageParam > 0 ? { next: pageParam } : {}) }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** Marks messages as read; all of them without ids. */
export function useReadMessages() {
  const client = useQueryClient()
  const takeUnread = useSetUnread()
  return useMutation({
    mutationFn: (ids?: number[]) =>
      call(api.POST('/client/userMsg/updateUserMsgRead', { body: ids ? { ids } : {} })),
    onSuccess: (unread) => {
      takeUnread(unread)
      void client.invalidateQueries({ queryKey: KEY })
    },
  })
}
