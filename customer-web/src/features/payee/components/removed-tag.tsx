import { useTranslation } from 'react-i18next'
import { Tag } from '@/ui/tag'
import { TimeText } from '@/ui/time-text'

/** Marks a payee as deleted and shows until when it can be restored. */
export function RemovedTag({ goneAt }: { goneAt: number | undefined }) {
  const { t } = useTranslation()
  return (
    <Tag>
      {t('payee.state.removed')}
      {goneAt !== undefined && (
        <>
          {' · '}
          {t('payee.state.gone_at')} <TimeText at={goneAt} />
        </>
      )}
    </Tag>
  )
}
