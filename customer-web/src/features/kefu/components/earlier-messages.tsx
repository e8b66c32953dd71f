import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import { ErrorBlock } from '@/ui/error-block'
import type { Card } from '../model/cards'
import { fetchEarlier, useChat } from '../model/chat'
import styles from './chat.module.css'
import { MessageList } from './message-list'

export type EarlierMessagesProps = { pathOf: (card: Card) => string | undefined }

/** Messages of closed conversations; each press loads another page. */
export function EarlierMessages({ pathOf }: EarlierMessagesProps) {
  const { t } = useTranslation()
  const { earlier, earlierMore } = useChat()
  const some = useChat(({ conversation }) => conversation?.earlier ?? false)
  const [fetching, setFetching] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  if (!some) return null

  const more = async () => {
    setFetching(true)
    setFailure(null)
    await fetchEarlier().catch(setFailure)
    setFetching(false)
  }
  return (
    <section aria-label={t('kefu.earlier')} className={styles.log}>
      {failure !== null ? (
        <ErrorBlock {...reasonOf(failure)} onRetry={() => void more()} retrying={fetching} />
      ) : (
        earlierMore !== false && (
          <Button variant="quiet" busy={fetching} onClick={() => void more()}>
            {t('kefu.earlier.more')}
          </Button>
        )
      )}
      <MessageList messages={earlier} marks={null} divided pathOf={pathOf} />
    </section>
  )
}
