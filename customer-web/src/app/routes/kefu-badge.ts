import type { QueryClient } from '@tanstack/react-query'
import {
  CUSTOMER_SERVICE_TYPE,
  UNREAD_POLL_AGENT_CHAT_MS,
  UNREAD_POLL_BUILT_IN_CHAT_MS,
} from '@/constants'
import { findUnread, kefuConfigQuery, person, updateRead } from '@/features/kefu/api/kefu'
import { sendUnsent } from '@/features/kefu/model/chat'
import { meetVisitor, onChat, useLive } from '@/live/live'
import { guestId } from '@/storage/guest-id'
import { setNavBadge } from '../shell/nav-badges'

const KEFU_PATH = '/kefu'
/** The phone's way to it. */
const ME_PATH = '/myCenter'

/** Shows how many messages of customer service are unread. */
export function showUnread(count: number): void {
  setNavBadge(KEFU_PATH, count)
  setNavBadge(ME_PATH, count)
}

/** Keeps the number of unread messages in sight, and sends what was written before; returns the way to stop. */
export function watchUnread(client: QueryClient, poll: boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  const show = (who: string) => (count: number) => {
    if (!stopped && who === person()) showUnread(count)
  }
  const look = async () => {
    const { type } = await client.ensureQueryData(kefuConfigQuery)
    await findUnread(type).then(show(person()))
    return type
  }
  // While the line is open it tells what is new; without it one has to ask.
  const lookOn = (type: number) => {
    if (stopped || !poll) return
    timer = setTimeout(
      () => {
        if (useLive.getState().socket === 'open') lookOn(type)
        else
          look().then(
            () => lookOn(type),
            () => lookOn(type),
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
      updateRead(news.message.id, false).then(show(person()), ignore)
    else if (!news || news.readUpTo !== readUpTo) look().then(ignore, ignore)
    readUpTo = news?.readUpTo
  })
  look().then(lookOn, () => lookOn(CUSTOMER_SERVICE_TYPE.builtIn))
  meetVisitor(guestId())
  void sendUnsent()
  return () => {
    stopped = true
    stop()
    clearTimeout(timer)
  }
}
