import { useQuery } from '@tanstack/react-query'
import { api, call } from '@/api/client'

const DEMO_KEY = 'demo.enabled'
const TOP_UP_KEY = 'mock.top_up_limit'

export type DemoRules = {
  enabled: boolean
  /** The maximum balance of a mock account's top-up, in USDT. */
  topUpLimit: string
}

async function findDemoRules(): Promise<DemoRules> {
  const value = async (key: string) =>
    (await call(api.GET('/client/api/findConfigByKey', { params: { query: { key } } }))).value
  const [enabled, topUpLimit] = await Promise.all([value(DEMO_KEY), value(TOP_UP_KEY)])
  return { enabled: enabled === 'true', topUpLimit }
}

/** The configuration of mock accounts. */
export function useDemoRules() {
  return useQuery({ queryKey: ['config', 'demo'], queryFn: findDemoRules, staleTime: 60_000 })
}
