import { useTranslation } from 'react-i18next'
import { reasonOf } from '@/api/reason'
import { ErrorBlock } from '@/ui/error-block'

export type ListErrorProps = { error: unknown; onRetry: () => void; retrying?: boolean }

/** Replaces a price list that failed to load. */
export function ListError({ error, onRetry, retrying = false }: ListErrorProps) {
  const { t } = useTranslation()
  const { reason, traceId } = reasonOf(error)
  return (
    <ErrorBlock
      reason={reason}
      reassurance={t('quotes.unaffected')}
      traceId={traceId}
      onRetry={onRetry}
      retrying={retrying}
    />
  )
}
