import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { reasonOf } from '@/api/reason'
import { FailureNote } from '@/features/deposit/components/failure-note'
import { Button } from '@/ui/button'

export type SavingFailureProps = {
  error: unknown
  /** Where what was deleted can be restored. */
  listPath: string
}

/** Why a payee could not be saved; what was deleted a moment ago leads to where it is restored. */
export function SavingFailure({ error, listPath }: SavingFailureProps) {
  const { t } = useTranslation()
  if (!(error instanceof CallFailure && error.code === 'payee.removed')) {
    return <FailureNote error={error} />
  }
  return (
    <FailureNote error={error}>
      {reasonOf(error).reason}{' '}
      <Button variant="text" size="small" to={listPath}>
        {t('payee.restore.where')}
      </Button>
    </FailureNote>
  )
}
