import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { hotQuery } from '../api/products'
import { readIds, writeIds } from './stored-ids'

/** The most traded products; the stored ones of the last visit until the answer arrives. */
const keptHotQuery = queryOptions({
  ...hotQuery,
  queryFn: async () => {
    const ids = await call(api.GET('/client/api/getPreheatedProductList'))
    writeIds('hotList', ids)
    return ids
  },
  initialData: () => {
    const stored = readIds('hotList')
    return stored.length > 0 ? stored : undefined
  },
  initialDataUpdatedAt: 0,
})

export function useHotList() {
  return useQuery(keptHotQuery)
}
