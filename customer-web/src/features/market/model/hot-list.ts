import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { hotQuery } from '../api/products'
import { readIds, writeIds } from './kept-ids'

/** The most traded products; those of the last visit until the answer comes. */
const keptHotQuery = queryOptions({
  ...hotQuery,
  queryFn: async () => {
    const ids = await call(api.GET('/client/api/getPreheatedProductList'))
    writeIds('hotList', ids)
    return ids
  },
  initialData: () => {
    const kept = readIds('hotList')
    return kept.length > 0 ? kept : undefined
  },
  initialDataUpdatedAt: 0,
})

export function useHotList() {
  return useQuery(keptHotQuery)
}
