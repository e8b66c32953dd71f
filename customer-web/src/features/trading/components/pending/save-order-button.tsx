import { useTranslation } from 'react-i18next'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { type EditOrderPartProps, useEditProblems } from './edit-order-fields'

export type SaveOrderButtonProps = EditOrderPartProps & {
  busy: boolean
  off: boolean
  /** The outcome of the last press is unknown, so the same is sent again. */
  again: boolean
  onSave: () => void
}

/** Saves the order while the market allows its prices. */
export function SaveOrderButton({ busy, off, again, onSave, ...part }: SaveOrderButtonProps) {
  const { t } = useTranslation()
  const problems = useEditProblems(part, useQuote(part.product.productId))
  return (
    <Button
      block
      size="large"
      variant="primary"
      busy={busy}
      disabled={off || (!again && Object.keys(problems).length > 0)}
      onClick={onSave}
    >
      {t(again ? 'position.ask_again' : 'position.protect.save')}
    </Button>
  )
}
