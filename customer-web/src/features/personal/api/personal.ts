import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callBlob, callPicture } from '@/api/call-file'
import { api, call, type Wire } from '@/api/client'
import { userInfoQuery } from '@/session/info-query'

export type PersonalInfo = Wire['PersonalInfo']
export type DataExport = Wire['DataExport']

/** How often the page looks whether the copy of the data is ready. */
const EXPORT_POLL_MS = 3000

/** The trader's own page. */
export const personalQuery = queryOptions({
  queryKey: ['personal'],
  queryFn: () => call(api.GET('/client/user/findPersonalInfo')),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.dataExport?.state === 'requested' ? EXPORT_POLL_MS : false,
})

export const usePersonalInfo = () => useQuery(personalQuery)

/** A change of the page, which answers with the whole page. */
export function usePersonalChange<Sent>(change: (sent: Sent) => Promise<PersonalInfo>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (info) => {
      client.setQueryData(personalQuery.queryKey, info)
      void client.invalidateQueries({ queryKey: userInfoQuery.queryKey })
    },
  })
}

/** Changes the nickname and the consent to offers. */
export function updatePersonalInfo(body: Wire['UpdatePersonalInfo']): Promise<PersonalInfo> {
  return call(api.POST('/client/user/updatePersonalInfo', { body }))
}

/** Sets the trader's own picture. */
export function uploadAvatar(picture: File): Promise<PersonalInfo> {
  const form = new FormData()
  form.append('file', picture, picture.name)
  return call(
    api.POST('/client/user/uploadAvatar', {
      body: { file: picture.name },
      bodySerializer: () => form,
    }),
  )
}

/** Removes the trader's own picture. */
export function deleteAvatar(): Promise<PersonalInfo> {
  return call(api.POST('/client/user/deleteAvatar'))
}

/** The trader's own picture as an address for an image; undefined without one. */
export function useAvatar(setAt: number | undefined) {
  return useQuery({
    queryKey: ['personal', 'avatar', setAt],
    queryFn: async () =>
      URL.createObjectURL(
        await callPicture(api.GET('/client/user/findAvatar', { parseAs: 'blob' })),
      ),
    enabled: setAt !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Has a copy of the trader's data made. */
export function requestExport(): Promise<PersonalInfo> {
  return call(api.POST('/client/user/insertDataExport'))
}

/** The copy of the trader's data, after a proof. */
export function downloadExport(body: Wire['SecurityProof']): Promise<Blob> {
  return callBlob(
    api.POST('/client/user/downloadDataExport', { body, parseAs: 'blob' }),
    'application/zip',
  )
}

/** Has the account close in 14 days. */
export function closeAccount(body: Wire['SecurityProof']): Promise<PersonalInfo> {
  return call(api.POST('/client/user/closeAccount', { body }))
}

/** Keeps the account that is closing. */
export function reopenAccount(): Promise<PersonalInfo> {
  return call(api.POST('/client/user/reopenAccount'))
}
