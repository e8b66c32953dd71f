import {
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'

export type CreditScore = Wire['CreditScore']
export type CreditScoreFact = Wire['CreditScoreFact']
export type CreditScoreDay = Wire['CreditScoreDay']
export type ConductFlag = Wire['ConductFlag']

const DAYS_PER_PAGE = 30

/** The trader's score of today. */
const scoreQuery = queryOptions({
  queryKey: ['score'],
  queryFn: () => call(api.GET('/client/user/findCreditScore')),
  staleTime: 0,
})

export const useCreditScore = () => useQuery(scoreQuery)

/** The trader's scores by day, newest first. */
export function useScoreHistory() {
  return useInfiniteQuery({
    queryKey: ['score', 'history'],
    queryFn: ({ pageParam }) =>
      call(
        api.GET('/client/user/findCreditScoreHistory', {
          params: { query: { next: pageParam, size: DAYS_PER_PAGE } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => (next === 0 ? undefined : next),
    staleTime: 0,
  })
}

/** An appeal against a flag, which answers with the score and its flags. */
export function useAppeal() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Wire['AppealConductFlag']) =>
      call(api.POST('/client/user/appealConductFlag', { body })),
    onSuccess: (score) => client.setQueryData(scoreQuery.queryKey, score),
  })
}
