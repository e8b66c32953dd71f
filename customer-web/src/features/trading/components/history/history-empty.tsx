import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'

export type HistoryEmptyProps = { onReset: () => void }

/** No closed positions in the chosen days, or none that match the filters. */
export function HistoryEmpty({ onReset }: HistoryEmptyProps) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="clock"
      text={t('history.empty')}
      action={<Button onClick={onReset}>{t('history.empty_action')}</Button>}
    />
  )
}
