import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useAddressBook } from '../api/payees'

export type WhitelistGateProps = {
  /** The path of the whitelist switch. */
  bookPath: string
  /** The form that saves a new payee. */
  children: ReactNode
}

/** Shows its children, or explains that the whitelist blocks new payees and links to its switch. */
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
