import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { storage } from '@/storage/storage'

/** The public configuration, by key; that of the last visit until the answer comes. */
export const frontConfigQuery = queryOptions({
  queryKey: ['config', 'front'],
  queryFn: async () => {
    const entries = await call(api.GET('/client/config/findFrontConfigList'))
    const config = Object.fromEntries(entries.map(({ key, value }) => [key, value]))
    storage.write('appConfig', config)
    return config
  },
  staleTime: 5 * 60_000,
  initialData: () => storage.read('appConfig') ?? undefined,
  initialDataUpdatedAt: 0,
})

/** Whether a feature is switched on; off while unknown. */
export function useSwitch(key: string): boolean {
  return useQuery({ ...frontConfigQuery, select: (config) => config[key] === 'true' }).data ?? false
}
