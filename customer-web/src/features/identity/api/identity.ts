import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { callPicture } from '@/api/call-file'
import { api, call, idempotent, type Wire } from '@/api/client'
import { useIdempotentMutation } from '@/api/idempotent-mutation'
import { updateUser, useSession } from '@/session/session-store'

export type Identity = Wire['UserAuthInfo']
export type Side = Wire['AuthSide']
export type DocumentType = Wire['AuthDocumentType']
export type Part = Wire['AuthAsked']['part']

const KEY = 'identity'
/** Staff decisions send no push, so verifications that wait for them are polled. */
const WITH_STAFF_MS = 15_000

/** Reports whether staff act next. */
export function isUndecided({ state }: Pick<Identity, 'state'>): boolean {
  return state === 'submitted' || state === 'in_review'
}

function identityQuery(owner: string) {
  return queryOptions({
    queryKey: [KEY, owner, 'info'],
    queryFn: () => call(api.GET('/client/userAuth/findUserAuthInfoNew')),
    refetchInterval: ({ state }) => (state.data && isUndecided(state.data) ? WITH_STAFF_MS : false),
  })
}

function useOwner(): string {
  return useSession(({ user }) => user?.userId ?? '')
}

/** The trader's verification. The stored user status follows the answer. */
export function useIdentity(wanted = true) {
  const query = useQuery({ ...identityQuery(useOwner()), enabled: wanted })
  const authStatus = query.data?.authStatus
  useEffect(() => {
    const { user } = useSession.getState()
    if (user && authStatus !== undefined && authStatus !== user.authStatus) {
      updateUser({ ...user, authStatus })
    }
  }, [authStatus])
  return query
}

/** How often a desktop looks for pictures that the trader takes with the phone. */
const WITH_PHONE_MS = 3_000

/** The verification, refetched while the trader goes on with the phone. */
export function useIdentityOnPhone(): Identity | undefined {
  return useQuery({ ...identityQuery(useOwner()), refetchInterval: WITH_PHONE_MS }).data
}

/** The countries whose documents are accepted, with their document types. */
export function useIdentityCountries() {
  return useQuery({
    queryKey: ['identity-countries'],
    queryFn: () => call(api.GET('/client/userAuth/findAuthCountryList')),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Shows the result of a write at once and drops pending responses, which are older. */
async function applyIdentity(client: QueryClient, identity: Identity): Promise<void> {
  const { queryKey } = identityQuery(useSession.getState().user?.userId ?? '')
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, identity)
}

/** Refetches everything about the verification. */
export function refreshIdentity(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [KEY] })
}

/** Saves the draft. */
export function useSaveDraft() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: Wire['SaveAuthDraft']) => {
      const identity = await call(api.POST('/client/userAuth/saveDraft', { body }))
      await applyIdentity(client, identity)
      return identity
    },
  })
}

/** Uploads the picture of a side and replaces the previous one. */
export function useUploadImage() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ side, picture }: { side: Side; picture: File }) => {
      const form = new FormData()
      form.append('side', side)
      form.append('file', picture, picture.name)
      const identity = await call(
        api.POST('/client/userAuth/uploadImage', {
          body: { side, file: picture.name },
          bodySerializer: () => form,
        }),
      )
      await applyIdentity(client, identity)
      return identity
    },
  })
}

/** Submits the application in the version that was shown. */
export function useSubmitIdentity(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['AuthVersion'], write) =>
      call(api.POST('/client/userAuth/submit', { body, ...idempotent(write) })),
    onAnswer: (identity) => void applyIdentity(client, identity),
    onChecking,
  })
}

/** Withdraws an application that no reviewer has opened yet. The answer lacks the typed data, so it is refetched. */
export function useWithdrawIdentity(onChecking?: () => void) {
  const client = useQueryClient()
  return useIdempotentMutation({
    send: (body: Wire['AuthVersion'], write) =>
      call(api.POST('/client/userAuth/withdraw', { body, ...idempotent(write) })),
    onAnswer: () => void refreshIdentity(client),
    onChecking,
  })
}

/** The trader's own picture, which the server returns while the application is a draft. */
export function useOwnPicture(side: Side, version: number) {
  return useQuery({
    queryKey: [KEY, useOwner(), 'picture', side, version],
    queryFn: () => fetchPicture(side),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

function fetchPicture(side: Side): Promise<Blob> {
  return callPicture(
    api.GET('/client/userAuth/findImage', { params: { query: { side } }, parseAs: 'blob' }),
  )
}
