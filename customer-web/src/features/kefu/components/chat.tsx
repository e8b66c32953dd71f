import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import { preloadSheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { kefuConfigQuery } from '../api/kefu'
import type { Card } from '../model/cards'
import { fetchNewMessages, openChat, sendMessage, useChat, useUnsentMessages } from '../model/chat'
import { useStickToEnd } from '../model/use-stick-to-end'
import styles from './chat.module.css'
import { ChatStatus } from './chat-status'
import { Composer } from './composer'
import { EarlierMessages } from './earlier-messages'
import { HelpWhileWaiting } from './help-while-waiting'
import { MessageList } from './message-list'
import { Questions } from './questions'
import { RatingForm } from './rating-form'

export type ChatProps = {
  /** The card the trader came with, such as the withdrawal in question. */
  card: Card | null
  /** The trader's search text: prefilled in the field, never sent automatically. */
  about: string
  /** The path of a card. */
  pathOf: (card: Card) => string | undefined
  /** Reports whether a path is a screen of the app. */
  hasPath: (path: string) => boolean
}

/** The support conversation: status, messages, and the message field. */
export function Chat({ card, about, pathOf, hasPath }: ChatProps) {
  const { t } = useTranslation()
  const { conversation, failure, typing, uploading, earlier } = useChat()
  const unsent = useUnsentMessages()
  const { data: config } = useQuery(kefuConfigQuery)
  const [retrying, setRetrying] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => openChat(), [])
  useEffect(preloadSheet, [])

  const messages = conversation?.messages ?? []
  const own = unsent.length + uploading.length
  const { end, behind, toEnd } = useStickToEnd({
    newest: messages.at(-1)?.id ?? 0,
    own: own + messages.filter(({ senderType }) => senderType === 'customer').length,
    more: typing ? 1 : 0,
  })

  const again = async () => {
    setRetrying(true)
    await fetchNewMessages()
    setRetrying(false)
  }
  const empty = conversation !== null && messages.length + own === 0
  const lastOwn = messages.findLast(({ senderType }) => senderType === 'customer')
  const name = conversation?.agentName ?? t('kefu.agent')

  return (
    <div className={styles.chat}>
      <ChatStatus config={config} />
      <div className={styles.thread}>
        {conversation === null && own === 0 && (
          <div className={styles.first}>
            {failure ? (
              <ErrorBlock {...reasonOf(failure)} onRetry={() => void again()} retrying={retrying} />
            ) : (
              <SkeletonRows rows={4} />
            )}
          </div>
        )}
        <EarlierMessages pathOf={pathOf} />
        {empty && (
          <Questions
            questions={config?.questions ?? []}
            onAsk={(text) => {
              sendMessage({ text })
              field.current?.focus()
            }}
          />
        )}
        <div role="log" aria-live="polite" aria-label={t('kefu.log')} className={styles.log}>
          <MessageList
            messages={messages}
            marks={conversation}
            divided={earlier.length > 0}
            unsent={unsent}
            uploading={uploading}
            pathOf={pathOf}
          />
          {typing && <p className={styles.typing}>{t('kefu.typing', { name })}</p>}
        </div>
        {conversation?.position !== undefined && (
          <HelpWhileWaiting text={lastOwn?.body ?? ''} hasPath={hasPath} />
        )}
        {conversation?.rateable && <RatingForm />}
        <div ref={end} className={styles.end} />
      </div>
      <div className={styles.foot}>
        {behind && (
          <div className={styles.behind}>
            <Button variant="quiet" onClick={toEnd}>
              {t('kefu.new')}
            </Button>
          </div>
        )}
        <Composer field={field} card={card} about={about} />
      </div>
    </div>
  )
}
