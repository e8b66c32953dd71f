import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GrowingList } from '@/features/list/components/growing-list'
import { NumberedList } from '@/features/list/components/numbered-list'
import { useDesktop } from '@/theme/use-media'
import { Chip } from '@/ui/chip'
import { EmptyState } from '@/ui/empty-state'
import { pageInQuery } from '@/ui/pagination-pages'
import { type Message, type MessageGroup, useMessageList, useMessagePage } from '../api/messages'
import { MessageRow, type MessageRowProps } from './message-row'
import styles from './notice.module.css'

export type MessageListProps = Omit<MessageRowProps, 'message'> & { action: ReactNode }
type Shown = { row: (one: Message) => ReactNode; empty: ReactNode; reassurance: string }
type ListProps = { group: MessageGroup | undefined; shown: Shown }

const GROUPS = ['trading', 'money', 'account'] as const satisfies readonly MessageGroup[]

/**
 * The messages to this trader, all or of the group in the address: numbered pages on a desktop, "show more" on a
 * phone.
 */
export function MessageList({ hasPath, onFill, action }: MessageListProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const [search] = useSearchParams()
  const group = GROUPS.find((one) => one === search.get('group'))
  const shown: Shown = {
    row: (one) => <MessageRow key={one.id} message={one} hasPath={hasPath} onFill={onFill} />,
    empty: (
      <EmptyState icon="bell" text={t(`notice.empty_group.${group ?? 'all'}`)} action={action} />
    ),
    reassurance: t('notice.reassurance'),
  }
  const List = desktop ? Pages : More
  return (
    <>
      <GroupChips group={group} />
      <List group={group} shown={shown} />
    </>
  )
}

function GroupChips({ group }: { group: MessageGroup | undefined }) {
  const { t } = useTranslation()
  const [, setSearch] = useSearchParams()
  const show = (one: MessageGroup | undefined) =>
    setSearch({ tab: 'messages', ...(one ? { group: one } : {}) }, { replace: true })
  return (
    <fieldset className={styles.chips} aria-label={t('notice.group')}>
      {[undefined, ...GROUPS].map((one) => (
        <Chip key={one ?? 'all'} on={group === one} onClick={() => show(one)} edge>
          {t(`notice.group.${one ?? 'all'}`)}
        </Chip>
      ))}
    </fieldset>
  )
}

function Pages({ group, shown }: ListProps) {
  const [search] = useSearchParams()
  const query = useMessagePage(pageInQuery(search), group)
  return <NumberedList query={query} className={styles.rows} {...shown} />
}

function More({ group, shown }: ListProps) {
  const query = useMessageList(group)
  return <GrowingList query={query} idOf={(one) => one.id} className={styles.rows} {...shown} />
}
