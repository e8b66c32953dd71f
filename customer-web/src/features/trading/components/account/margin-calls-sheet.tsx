import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ListFoot } from '@/features/list/components/list-foot'
import { useAccountKey } from '@/features/wallet/api/money'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { marginCallsQuery } from '../../api/margin-calls'
import { MarginCallStep } from './margin-call-step'
import styles from './margin-calls-sheet.module.css'

export type MarginCallsSheetProps = { onClose: () => void }

/** The account's margin calls with their stop-outs and recoveries, newest first. */
export function MarginCallsSheet({ onClose }: MarginCallsSheetProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(marginCallsQuery(useAccountKey()))
  const calls = query.data?.pages.flatMap(({ list }) => list) ?? []
  return (
    <Sheet open width={480} onClose={onClose} title={t('margin.calls')}>
      <p className={styles.about}>{t('margin_call.about')}</p>
      {query.isPending && <SkeletonRows rows={2} rowHeight={84} />}
      {query.data && calls.length === 0 && <p className={styles.none}>{t('margin_call.none')}</p>}
      {calls.length > 0 && (
        <ol className={styles.calls}>
          {calls.map((one) => (
            <MarginCallStep key={one.marginCallId} marginCall={one} />
          ))}
        </ol>
      )}
      <ListFoot query={query} />
    </Sheet>
  )
}
