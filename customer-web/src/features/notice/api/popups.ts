import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, call, type Wire } from '@/api/client'
import { useSession } from '@/session/session-store'
import { visitorParams } from './reach'
import { CONTENT, useReader } from './reader'

export type Popup = Wire['Popup']

/** Unseen pop-ups, fetched at start and after each log-in, and a function to remove one. */
export function usePopups() {
  const client = useQueryClient()
  const token = useSession((session) => session.token)
  const [code] = useReader()
  const key = [CONTENT, 'popups', code, token]
  const { data } = useQuery({
    queryKey: key,
    queryFn: () =>
      call(api.GET('/client/popup/findPopupMsgList', { params: { query: visitorParams() } })),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  const takeOff = ({ id, revision }: Popup) =>
    client.setQueryData<Popup[]>(key, (list) =>
      list?.filter((popup) => popup.id !== id || popup.revision !== revision),
    )
  return { popups: data ?? [], takeOff }
}

/** Reports a revision of a pop-up as shown or acknowledged. If it fails, the server sends the pop-up once more. */
export function reportPopupSeen({ id, revision }: Popup, ack: boolean): void {
  call(
    api.POST('/client/popup/updatePopupSeen', { body: { id, revision, ack, ...visitorParams() } }),
  ).catch(() => {})
}
