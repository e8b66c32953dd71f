import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { PAGINATION_PAGE_SIZE } from '@/constants'
import type { LanguageCode } from '@/i18n/languages'
import { CONTENT, useReader } from './reader'

export type NewsItem = Wire['NewsItem']
export type NewsCategory = Wire['NewsCategory']

const KEY = [CONTENT, 'news'] as const
const LATEST = 3

type Query = { page?: number; size: number; next?: number; locale?: LanguageCode }

function findPage(query: Query) {
  return call(api.GET('/client/currencyNews/findCurrencyNewsPage', { params: { query } }))
}

/** The latest few, for the home page. */
export function useLatestNews() {
  return useQuery({
    queryKey: [...KEY, ...useReader(), 'latest'],
    queryFn: () => findPage({ size: LATEST }),
    staleTime: 5 * 60_000,
  })
}

/** One numbered page of the news available in a language. */
export function useNewsPage(page: number, locale: LanguageCode | undefined) {
  return useQuery({
    queryKey: [...KEY, ...useReader(), 'page', locale, page],
    queryFn: () => findPage({ page, size: PAGINATION_PAGE_SIZE, ...(locale ? { locale } : {}) }),
    placeholderData: keepPreviousData,
  })
}

/** The news, page by page. */
export function useNewsList(locale: LanguageCode | undefined) {
  return useInfiniteQuery({
    queryKey: [...KEY, ...useReader(), 'list', locale],
    queryFn: ({ pageParam }) =>
      findPage({
        size: PAGINATION_PAGE_SIZE,
        ...(locale ? { locale } : {}),
        ...(pageParam > 0 ? { next: pageParam } : {}),
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next > 0 ? next : undefined),
  })
}

/** One full article. */
export function useNews(id: number) {
  return useQuery({
    queryKey: [CONTENT, 'news-item', ...useReader(), id],
    queryFn: () =>
      call(api.GET('/client/currencyNews/findCurrencyNewsDetail', { params: { query: { id } } })),
    staleTime: 60_000,
  })
}
