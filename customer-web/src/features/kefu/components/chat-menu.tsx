import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { useIsVisitor } from '@/session/login-request'
import { useIsGuest } from '@/session/session-store'
import { PageMenu } from '@/ui/page-menu'
import { toast } from '@/ui/toast/toast-store'
import { sendTranscript } from '../api/kefu'
import { useChat } from '../model/chat'

/** What a trader can do with the whole conversation. Visitors and guests have no address to mail it to. */
export function ChatMenu() {
  const { t } = useTranslation()
  const convId = useLastConversation()
  const visitor = useIsVisitor()
  const guest = useIsGuest()
  const { mutate, isPending } = useMutation({
    mutationFn: sendTranscript,
    onSuccess: () => toast.success(t('kefu.transcript.sent')),
    onError: (error) => toast.error(reasonOf(error).reason),
  })
  if (visitor || guest || convId === undefined) return null
  return (
    <PageMenu
      label={t('kefu.menu')}
      items={[
        {
          icon: 'mail',
          text: t('kefu.transcript'),
          disabled: isPending,
          onClick: () => mutate(convId),
        },
      ]}
    />
  )
}

/** The conversation shown last: an open menu stays while a newer conversation is fetched. */
function useLastConversation(): number | undefined {
  const person = useChat((chat) => chat.person)
  const convId = useChat(({ conversation }) => conversation?.convId)
  const [last, setLast] = useState({ person, convId })
  const changed = person !== last.person || (convId !== undefined && convId !== last.convId)
  if (changed) setLast({ person, convId })
  return changed ? convId : last.convId
}
