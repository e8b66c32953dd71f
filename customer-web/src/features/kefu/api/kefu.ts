import { queryOptions, useQuery } from '@tanstack/react-query'
import { callPicture } from '@/api/call-file'
import { callUpload } from '@/api/call-upload'
import { api, call, type Wire } from '@/api/client'
import { CUSTOMER_SERVICE_TYPE } from '@/constants'
import { isLoggedIn, useSession } from '@/session/session-store'
import { guestId } from '@/storage/guest-id'

export type Message = Wire['ChatMessage']
export type Thread = Wire['ChatThread']
export type Earlier = Wire['ChatEarlier']
export type CardKind = Wire['ChatCardKind']
export type Config = Wire['KefuConfig']

const CONFIG_MS = 60_000

/** The id of the chat user on this device: the trader's id, else the visitor's. */
export function chatPersonId(): string {
  return useSession.getState().user?.userId ?? guestId()
}

/** Identifies the visitor if there is no session. */
function visitor(): { visitor?: string } {
  return isLoggedIn() ? {} : { visitor: guestId() }
}

/** The chat configuration: its type, opening hours and common questions. */
export const kefuConfigQuery = queryOptions({
  queryKey: ['kefu', 'config'],
  queryFn: () => call(api.GET('/kefu/kefuApi/findConfig')),
  staleTime: CONFIG_MS,
  refetchInterval: CONFIG_MS,
})

/** The messages of the user's conversation after a message id, oldest first. */
export function findMessages(after: number): Promise<Thread> {
  return call(
    api.GET('/kefu/kefuApi/findMessageList', {
      params: { header: visitor(), query: after > 0 ? { after } : {} },
    }),
  )
}

/** The messages of closed conversations before a message id, oldest first. */
export function findEarlier(before?: number): Promise<Earlier> {
  return call(
    api.GET('/kefu/kefuApi/findEarlierList', {
      params: { header: visitor(), query: before === undefined ? {} : { before } },
    }),
  )
}

/** Sends a message, once per messageId, with the sender's time zone. */
export function insertMessage(message: Wire['InsertMessage']): Promise<Message> {
  const body = { ...message, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
  return call(api.POST('/kefu/kefuApi/insertMessage', { params: { header: visitor() }, body }))
}

/** Reports messages as delivered or read up to an id; returns the number of unread ones. */
export async function updateRead(lastId: number, read: boolean): Promise<number> {
  const { unread } = await call(
    api.POST('/kefu/kefuApi/updateUserRead', {
      params: { header: visitor() },
      body: { lastId, read },
    }),
  )
  return unread
}

/** The number of unread agent messages, by the endpoint of the chat's type. */
export async function findUnread(type: Config['type']): Promise<number> {
  const answer =
    type === CUSTOMER_SERVICE_TYPE.agent
      ? api.POST('/ws/user/plus', {
          body: { uuid: chatPersonId(), name: useSession.getState().user?.userName ?? '' },
        })
      : api.GET('/kefu/kefuApi/findUserReadCount', { params: { header: visitor() } })
  return (await call<Wire['UnreadCount']>(answer)).unread
}

/** Reports whether the user is typing. */
export function updateTyping(typing: boolean): Promise<unknown> {
  return call(
    api.POST('/kefu/kefuApi/updateTyping', { params: { header: visitor() }, body: { typing } }),
  )
}

/** Rates the resolved conversation, 1 to 5; 0 declines to rate. */
export function insertRating(body: Wire['InsertRating']): Promise<unknown> {
  return call(api.POST('/kefu/kefuApi/insertRating', { params: { header: visitor() }, body }))
}

/** Has a conversation mailed to the trader's own e-mail address. */
export function sendTranscript(convId: number): Promise<unknown> {
  return call(api.POST('/kefu/kefuApi/sendTranscript', { body: { convId } }))
}

/** Uploads a picture and returns the name the server gave it. It stays hidden until a message refers to it. */
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

/** A picture of the user's conversation. */
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
