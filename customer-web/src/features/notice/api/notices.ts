import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import { CONTENT, useReader } from './reader'
import { useSetUnread } from './unread'

export type Notice = Wire['SiteMail']
export type NoticeCategory = Wire['NoticeCategory']
export type Article = Wire['Article']

const KEY = [CONTENT, 'notices'] as const
/** Notices for the home page are taken from this many of the newest. */
const NEWEST = 20

function findPage(query: { page?: number; size: number; next?: number }) {
  return call(api.GET('/client/siteMail/findSiteMailPage', { params: { query } }))
}

/** The newest notices that are shown outside the list too, sticky ones first. */
export function useStripNotices() {
  return useQuery({
    queryKey: [...KEY, ...useReader(), 'strip'],
    queryFn: () => findPage({ size: NEWEST }),
    select: ({ list }) => list.filter(({ placement }) => placement !== 'list'),
    staleTime: 60_000,
  })
}

/** One numbered page of all notices. */
export function useNoticePage(page: number) {
  return useQuery({
    queryKey: [...KEY, ...useReader(), 'page', page],
    queryFn: () => findPage({ page, size: PAGINATION_PAGE_SIZE }),
    placeholderData: keepPreviousData,
  })
}

/** All notices, page by page. */
export function useNoticeList() {
  return useInfiniteQuery({
    queryKey: [...KEY, ...useReader(), 'list'],
    queryFn: ({ pageParam }) =>
      findPage({ size: PAGINATION_PAGE_SIZE, ...(pageParam > 0 ? { next: pageParam } : {}) }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** One full notice. */
export function useNotice(id: number) {
  return useQuery({
    queryKey: [CONTENT, 'notice', ...useReader(), id],
    queryFn: () =>
      call(api.GET('/client/siteMail/findSiteMailDetail', { params: { query: { id } } })),
    staleTime: 60_000,
  })
}

/** Marks a notice as read; all of them without an id. */
export function useReadNotices() {
  const client = useQueryClient()
  const takeUnread = useSetUnread()
  return useMutation({
    mutationFn: (id?: number) =>
      call(
        api.POST('/client/siteMail/updateSiteMailRead', { body: id === undefined ? {} : { id } }),
      ),
    onSuccess: (unread) => {
      takeUnread(unread)
      void client.invalidateQueries({ queryKey: KEY })
    },
  })
}
