import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { storage } from '@/storage/storage'
import { useDesktop } from '@/theme/use-media'

/**
 * Tracks the number of unread support messages. A visitor without an id has never written. `poll` also asks
 * without a connection. On a desktop the header does this for every screen.
 */
export function useUnreadChat(poll = false, header = false): void {
  const client = useQueryClient()
  const here = useDesktop() === header
  useEffect(() => {
    if (!here) return
    if (!storage.read('guestId') && !storage.read('token')) return
    let stop = () => {}
    let gone = false
    import('./parts/kefu-badge').then(
      ({ watchUnread }) => {
        if (!gone) stop = watchUnread(client, poll)
      },
      () => {},
    )
    return () => {
      gone = true
      stop()
    }
  }, [client, poll, here])
}
