import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { withTexts } from '@/i18n/i18n'
import { Button } from '@/ui/button'

const MarginCallsSheet = lazy(async () => ({
  default: (await withTexts(() => import('./margin-calls-sheet'))).MarginCallsSheet,
}))

/** Opens the account's margin calls. */
export function MarginCallsButton() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" variant="text" onClick={() => setOpen(true)}>
        {t('margin.calls')}
      </Button>
      {open && (
        <Suspense>
          <MarginCallsSheet onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
