import { queryOptions, useQuery } from '@tanstack/react-query'
import { callPicture } from '@/api/call-file'
import { callUpload } from '@/api/call-upload'
import { api, call, type Wire } from '@/api/client'
import { CUSTOMER_SERVICE_TYPE } from '@/constants'
import { isLoggedIn, useSession } from '@/features/session/model/session-store'
import { guestId } from '@/storage/guest-id'

export type Message = Wire['ChatMessage']
export type Thread = Wire['ChatThread']
export type Earlier = Wire['ChatEarlier']
export type CardKind = Wire['ChatCardKind']
export type Config = Wire['KefuConfig']

const CONFIG_MS = 60_000

/** Who talks to customer service on this device: a trader by id, else the visitor that the device is. */
export function chatPersonId(): string {
  return useSession.getState().user?.userId ?? guestId()
}

/** Names the visitor where there is no session to say who asks. */
function visitor(): { visitor?: string } {
  return isLoggedIn() ? {} : { visitor: guestId() }
}

/** How the chat works just now: its type, when agents work, what is often asked. */
export const kefuConfigQuery = queryOptions({
  queryKey: ['kefu', 'config'],
  queryFn: () => call(api.GET('/kefu/kefuApi/findConfig')),
  staleTime: CONFIG_MS,
  refetchInterval: CONFIG_MS,
})

/** One's own conversation after a message, oldest first. */
export function findMessages(after: number): Promise<Thread> {
  return call(
    api.GET('/kefu/kefuApi/findMessageList', {
      params: { header: visitor(), query: after > 0 ? { after } : {} },
    }),
  )
}

/** One's own conversations that are closed, before a message, oldest first. */
export function findEarlier(before?: number): Promise<Earlier> {
  return call(
    api.GET('/kefu/kefuApi/findEarlierList', {
      params: { header: visitor(), query: before === undefined ? {} : { before } },
    }),
  )
}

/** Says something, once for its messageId, and by which zone's clock one lives. */
export function insertMessage(message: Wire['InsertMessage']): Promise<Message> {
  const body = { ...message, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  return call(api.POST('/kefu/kefuApi/insertMessage', { params: { header: visitor() }, body }))
}

/** Says up to which message one has received, or read; the answer is how many are unread. */
export async function updateRead(lastId: number, read: boolean): Promise<number> {
  const { unread } = await call(
    api.POST('/kefu/kefuApi/updateUserRead', {
      params: { header: visitor() },
      body: { lastId, read },
    }),
  )
  return unread
}

/** How many messages of agents are unread, asked in the way of the chat's type. */
export async function findUnread(type: Config['type']): Promise<number> {
  const answer =
    type === CUSTOMER_SERVICE_TYPE.agent
      ? api.POST('/ws/user/plus', {
          body: { uuid: chatPersonId(), name: useSession.getState().user?.userName ?? '' },
        })
      : api.GET('/kefu/kefuApi/findUserReadCount', { params: { header: visitor() } })
  return (await call<Wire['UnreadCount']>(answer)).unread
}

/** Says that one types, or no longer does. */
export function updateTyping(typing: boolean): Promise<unknown> {
  return call(
    api.POST('/kefu/kefuApi/updateTyping', { params: { header: visitor() }, body: { typing } }),
  )
}

/** Rates how the conversation was resolved, 1 to 5; 0 says nothing and asks no more. */
export function insertRating(body: Wire['InsertRating']): Promise<unknown> {
  return call(api.POST('/kefu/kefuApi/insertRating', { params: { header: visitor() }, body }))
}

/** Uploads a picture and returns the name the server gave it. Nobody sees it until a message names it. */
export async function uploadPicture(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const { file: name } = await callUpload<Wire['UploadedFile']>({
    path: '/kefu/kefuApi/upload',
    file,
    headers: visitor(),
    onProgress,
    signal,
  })
  return name
}

/** A picture of one's own conversation. */
export function useChatPicture(name: string) {
  return useQuery({
    queryKey: ['kefu', 'picture', chatPersonId(), name],
    queryFn: () =>
      callPicture(
        api.GET('/kefu/kefuApi/findImage', {
          params: { header: visitor(), query: { name } },
          parseAs: 'blob',
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
