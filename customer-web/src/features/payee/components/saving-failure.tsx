import { useTranslation } from 'react-i18next'
import { CallFailure } from '@/api/client'
import { reasonOf } from '@/api/reason'
import { Button } from '@/ui/button'
import { FailureNote } from '@/ui/failure-note'

export type SavingFailureProps = {
  error: unknown
  /** The path where deleted payees are restored. */
  listPath: string
}

/** The reason a payee could not be saved; if it was deleted recently, links to where it can be restored. */
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
