import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GrowingList } from '@/features/list/components/growing-list'
import { NumberedList } from '@/features/list/components/numbered-list'
import { useDesktop } from '@/theme/use-media'
import { EmptyState } from '@/ui/empty-state'
import { pageInQuery } from '@/ui/pagination-pages'
import { type Notice, useNoticeList, useNoticePage } from '../api/notices'
import styles from './notice.module.css'
import { NoticeRow } from './notice-row'

export type NoticeListProps = { pathOf: (noticeId: number) => string; action: ReactNode }
type Shown = { row: (one: Notice) => ReactNode; empty: ReactNode; reassurance: string }

/** All notices: numbered pages on a desktop, "show more" on a phone. */
export function NoticeList({ pathOf, action }: NoticeListProps) {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const shown: Shown = {
    row: (one) => <NoticeRow key={one.id} notice={one} to={pathOf(one.id)} />,
    empty: <EmptyState icon="horn" text={t('notice.empty')} action={action} />,
    reassurance: t('notice.reassurance'),
  }
  return desktop ? <Pages {...shown} /> : <More {...shown} />
}

function Pages(shown: Shown) {
  const [search] = useSearchParams()
  const query = useNoticePage(pageInQuery(search))
  return <NumberedList query={query} className={styles.rows} {...shown} />
}

function More(shown: Shown) {
  const query = useNoticeList()
  return <GrowingList query={query} idOf={(one) => one.id} className={styles.rows} {...shown} />
}
