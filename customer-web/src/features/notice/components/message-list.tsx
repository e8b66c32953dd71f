import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GrowingList } from '@/features/list/components/growing-list'
import { NumberedList } from '@/features/list/components/numbered-list'
import { useDesktop } from '@/theme/use-media'
import { EmptyState } from '@/ui/empty-state'
import { pageInQuery } from '@/ui/pagination-pages'
import { type Message, useMessageList, useMessagePage } from '../api/messages'
import { MessageRow } from './message-row'
import styles from './notice.module.css'

export type MessageListProps = { hasPath: (path: string) => boolean; action: ReactNode }
type Shown = { row: (one: Message) => ReactNode; empty: ReactNode; reassurance: string }

/** All messages to this trader: numbered pages on a desktop, "show more" on a phone. */
export function MessageList({ hasPath, action }: MessageListProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const shown: Shown = {
    row: (one) => <MessageRow key={one.id} message={one} hasPath={hasPath} />,
    empty: <EmptyState icon="bell" text={t('notice.no_messages')} action={action} />,
    reassurance: t('notice.reassurance'),
  }
  return desktop ? <Pages {...shown} /> : <More {...shown} />
}

function Pages(shown: Shown) {
  const [search] = useSearchParams()
  const query = useMessagePage(pageInQuery(search))
  return <NumberedList query={query} className={styles.rows} {...shown} />
}

function More(shown: Shown) {
  const query = useMessageList()
  return <GrowingList query={query} idOf={(one) => one.id} className={styles.rows} {...shown} />
}
