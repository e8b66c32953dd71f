import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useAddressBook } from '../api/payees'

export type WhitelistGateProps = {
  /** Where the switch is. */
  bookPath: string
  /** Saves something new. */
  children: ReactNode
}

/** What saves something new, or why nothing new can be saved now and the way to the switch. */
export function WhitelistGate({ bookPath, children }: WhitelistGateProps) {
  const { t } = useTranslation()
  const { data, isPending } = useAddressBook()
  if (isPending) return <SkeletonRows rows={4} rowHeight={60} />
  if (!data?.whitelistOnly) return children
  return (
    <EmptyState
      icon="lock"
      text={t('payee.only.closed')}
      action={
        <Button variant="primary" to={bookPath}>
          {t('payee.only.open')}
        </Button>
      }
    />
  )
}
