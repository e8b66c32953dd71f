import { useTranslation } from 'react-i18next'
import type { PendingOrder } from '../../api/pending-orders'
import { useCancel } from '../../model/use-cancel-order'
import { RowAction } from '../table/row-action'

export type PendingOrderActionsProps = {
  order: PendingOrder
  /** It is one of an OCO pair, so both are cancelled. */
  paired: boolean
  onEdit: () => void
}

/** What can be done with a pending order in its row. */
export function PendingOrderActions({ order, paired, onEdit }: PendingOrderActionsProps) {
  const { t } = useTranslation()
  const { cancel, busy } = useCancel(order)
  return (
    <>
      <RowAction icon="edit" label={t('waiting.edit')} onClick={onEdit} />
      <RowAction
        icon="close"
        label={t(paired ? 'waiting.oco.cancel' : 'waiting.cancel')}
        busy={busy}
        onClick={cancel}
      />
    </>
  )
}
