import { useTranslation } from 'react-i18next'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'

const BIND_PATH = '/bindContact'

/** Leads an account that a wallet opened to bind a contact first. */
export function ContactFirstNote() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="shield"
      text={t('contact.first.why')}
      action={
        <Button variant="primary" to={BIND_PATH}>
          {t('contact.first.go')}
        </Button>
      }
    />
  )
}
