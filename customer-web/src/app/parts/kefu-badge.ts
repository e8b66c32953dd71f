import type { QueryClient } from '@tanstack/react-query'
import {
  CUSTOMER_SERVICE_TYPE,
  UNREAD_POLL_AGENT_CHAT_MS,
  UNREAD_POLL_BUILT_IN_CHAT_MS,
} from '@/constants'
import { chatPersonId, findUnread, kefuConfigQuery, updateRead } from '@/features/kefu/api/kefu'
import { flushOutbox } from '@/features/kefu/model/chat'
import { onChat, setChatVisitor, useLive } from '@/live/live'
import { guestId } from '@/storage/guest-id'
import { setNavBadge } from '../nav/nav-badges'

const KEFU_PATH = '/kefu'
/** The phone's path to support. */
const ME_PATH = '/myCenter'

/** Shows the number of unread support messages on the navigation. */
export function showUnread(count: number): void {
  setNavBadge(KEFU_PATH, count)
  setNavBadge(ME_PATH, count)
}

/** Tracks the number of unread messages and sends messages left in the outbox; returns the stop function. */
export function watchUnread(client: QueryClient, poll: boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const show = (who: string) => (count: number) => {
    if (!stopped && who === chatPersonId()) showUnread(count)
  }
  const fetchCount = async () => {
    const { type } = await client.ensureQueryData(kefuConfigQuery)
    await findUnread(type).then(show(chatPersonId()))
    return type
  }
  // An open connection pushes events; without one the count is polled.
  const schedulePoll = (type: number) => {
    if (stopped || !poll) return
    timer = setTimeout(
      () => {
        if (useLive.getState().socket === 'open') schedulePoll(type)
        else
          fetchCount().then(
            () => schedulePoll(type),
            () => schedulePoll(type),
          )
      },
      type === CUSTOMER_SERVICE_TYPE.agent
        ? UNREAD_POLL_AGENT_CHAT_MS
        : UNREAD_POLL_BUILT_IN_CHAT_MS,
    )
  }
  const ignore = () => {}
  let readUpTo: number | undefined
  const stop = onChat((news) => {
    if (news?.message?.senderType === 'agent')
      updateRead(news.message.id, false).then(show(chatPersonId()), ignore)
    else if (!news || news.readUpTo !== readUpTo) fetchCount().then(ignore, ignore)
    readUpTo = news?.readUpTo
  })
  fetchCount().then(schedulePoll, () => schedulePoll(CUSTOMER_SERVICE_TYPE.builtIn))
  setChatVisitor(guestId())
  void flushOutbox()
  return () => {
    stopped = true
    stop()
    clearTimeout(timer)
  }
}
