import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Sheet } from '@/ui/sheet/sheet'
import { useContactless } from '../api/security'

const BIND_PATH = '/bindContact'

export type ContactFirstSheetProps = {
  title: string
  onClose: () => void
  /** What takes a contact or a log-in password. */
  children: ReactNode
}

/** A sheet that needs a contact: whoever has a wallet alone is led to add one first. */
export function ContactFirstSheet({ title, onClose, children }: ContactFirstSheetProps) {
  const { t } = useTranslation()
  if (!useContactless()) return children
  return (
    <Sheet open title={title} onClose={onClose}>
      <EmptyState
        icon="shield"
        text={t('contact.first.why')}
        action={
          <Button variant="primary" to={BIND_PATH}>
            {t('contact.first.go')}
          </Button>
        }
      />
    </Sheet>
  )
}
