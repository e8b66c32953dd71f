import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type Country = Wire['CountryAreaCode']

/** Every country with its dialling code. */
export const countriesQuery = queryOptions({
  queryKey: ['countries'],
  queryFn: () => call(api.GET('/client/api/findCountryAreaCodeList')),
  staleTime: Number.POSITIVE_INFINITY,
})

export function useCountries() {
  return useQuery(countriesQuery)
}
