import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type BonusList = Wire['BonusList']
export type BonusOffer = Wire['BonusOffer']
export type Bonus = Wire['TraderBonus']

/** The trader's bonuses, and those that the trader may accept. */
const bonusQuery = queryOptions({
  queryKey: ['bonus'],
  queryFn: () => call(api.GET('/client/user/findBonusList')),
  staleTime: 0,
})

export const useBonuses = () => useQuery(bonusQuery)

function useBonusChange<Body>(change: (body: Body) => Promise<BonusList>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (list) => client.setQueryData(bonusQuery.queryKey, list),
    onError: () => client.invalidateQueries({ queryKey: bonusQuery.queryKey }),
  })
}

/** Accepts a bonus under the terms that were shown. */
export const useAcceptBonus = () =>
  useBonusChange((body: Wire['AcceptBonus']) =>
    call(api.POST('/client/user/acceptBonus', { body })),
  )

/** Declines an offered bonus, or gives up a granted one. */
export const useDeclineBonus = () =>
  useBonusChange((body: Wire['DeclineBonus']) =>
    call(api.POST('/client/user/declineBonus', { body })),
  )
