import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'
import { storage } from '@/storage/storage'

/** The public configuration by key; the stored one of the last visit until the answer arrives. */
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

/** Reports whether the configuration is still to come, so that what it switches on needs its room. */
export function useConfigPending(): boolean {
  return useQuery(frontConfigQuery).isPending
}

/** Reports whether a feature is switched on; false while unknown. */
export function useSwitch(key: string): boolean {
  return useQuery({ ...frontConfigQuery, select: (config) => config[key] === 'true' }).data ?? false
}
