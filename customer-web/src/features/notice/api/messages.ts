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

/** Categories of messages that are listed together. */
export type MessageGroup = Wire['UserMsgGroup']

const KEY = [CONTENT, 'messages'] as const

// Message texts are composed here, so the language is not part of the key.
function useOwner(): string {
  return useSession(({ user }) => user?.userId ?? '')
}

type PageQuery = { page?: number; size: number; next?: number; group?: MessageGroup }

function findPage(query: PageQuery) {
  return call(api.GET('/client/userMsg/findUserMsgPage', { params: { query } }))
}

/** One numbered page of a group's messages, of all without one. */
export function useMessagePage(page: number, group: MessageGroup | undefined) {
  return useQuery({
    queryKey: [...KEY, useOwner(), 'page', group ?? '', page],
    queryFn: () => findPage({ page, size: PAGINATION_PAGE_SIZE, ...(group ? { group } : {}) }),
    placeholderData: keepPreviousData,
  })
}

/** A group's messages page by page, all without one. */
export function useMessageList(group: MessageGroup | undefined) {
  return useInfiniteQuery({
    queryKey: [...KEY, useOwner(), 'list', group ?? ''],
    queryFn: ({ pageParam }) =>
      findPage({
        size: PAGINATION_PAGE_SIZE,
        ...(group ? { group } : {}),
        ...(pageParam > 0 ? { next: pageParam } : {}),
      }),
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
