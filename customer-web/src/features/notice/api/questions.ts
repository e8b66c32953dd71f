import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { visitorParams } from './reach'
import { CONTENT, useReader } from './reader'

export type Question = Wire['Question']
export type QuestionCategory = Wire['QuestionCategory']

/** Questions of a category or all, filtered by a search text; the previous answer is kept while the next one loads. */
export function useQuestions(category: QuestionCategory | undefined, search: string) {
  return useQuery({
    queryKey: [CONTENT, 'questions', ...useReader(), category, search],
    queryFn: () =>
      call(
        api.GET('/client/api/findQuestionInfoList', {
          params: { query: { ...(category ? { category } : {}), ...(search ? { search } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  })
}

/** Rates an answer as helpful or not; a second rating replaces the first. */
export function useQuestionFeedback(id: number) {
  return useMutation({
    mutationFn: (helpful: boolean) =>
      call(
        api.POST('/client/api/insertQuestionFeedback', {
          body: { id, helpful, ...visitorParams() },
        }),
      ),
  })
}
