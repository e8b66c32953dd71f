import { useQueries, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { CONTENT, type Reader, useReader } from './reader'

export type ContentPage = Wire['ContentPage']

/** The legal pages, in order. */
export const LEGAL_PAGES = ['terms', 'risk', 'privacy', 'fees'] as const
export type LegalPage = (typeof LEGAL_PAGES)[number]
export type PageKey = 'about' | LegalPage

function pageQuery(reader: Reader, key: PageKey) {
  return {
    queryKey: [CONTENT, 'page', ...reader, key],
    queryFn: () => call(api.GET('/client/content/findPage', { params: { query: { key } } })),
    staleTime: 5 * 60_000,
  }
}

/** A product or legal page. */
export function useContentPage(key: PageKey) {
  return useQuery(pageQuery(useReader(), key))
}

/** All legal pages, in order. */
export function useLegalPages() {
  const reader = useReader()
  return useQueries({ queries: LEGAL_PAGES.map((key) => pageQuery(reader, key)) })
}
