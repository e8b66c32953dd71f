import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { useProducts } from '@/features/market/api/products'
import { useAccount } from '@/live/account-store'
import { useLive } from '@/live/live'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Sheet } from '@/ui/sheet/sheet'
import { toast } from '@/ui/toast/toast-store'
import { useCloseAllPositions } from '../../api/bulk-close'
import { type CloseScope, inScope, profitOf } from '../../model/close-all'
import { CloseScopeFields } from './close-scope-fields'
import { FailureNote } from './failure-note'
import { PositionLines } from './position-lines'
import styles from './position-sheets.module.css'
import { SkippedPositions } from './skipped-positions'

export type CloseAllSheetProps = {
  /** The preselected product; all products if absent. */
  productId?: number | undefined
  onClose: () => void
}

/** Bulk close: lists the positions before, and those that had to stay open afterwards, with the reason. */
export function CloseAllSheet({ productId, onClose }: CloseAllSheetProps) {
  const { t } = useTranslation()
  const { data: products = [] } = useProducts()
  const positions = useAccount((account) => account.positions) ?? []
  const offline = useLive(({ socket }) => socket !== 'open')
  const [scope, setScope] = useState<CloseScope>(productId === undefined ? {} : { productId })
  const [asked, setAsked] = useState<readonly Wire['Position'][]>([])
  const [checking, setChecking] = useState(false)
  const write = useCloseAllPositions(() => setChecking(true))
  const unanswered = isOutcomeUnknown(write.error) ? write.variables : undefined
  const chosen = inScope(positions, scope)
  const count = chosen.length
  const skipped = write.data?.skipped ?? []

  const submit = () => {
    setChecking(false)
    if (!unanswered) setAsked(chosen)
    write.mutate(unanswered ?? scope, {
      onSuccess: (result) => {
        const closed = result.fills.length
        if (closed > 0) toast.success(t('position.close_all.done', { count: closed }))
        if (result.skipped.length === 0) onClose()
      },
    })
  }

  const label = () => {
    if (write.isPending) return checking ? t('trade.checking') : t('position.close.sending')
    return unanswered ? t('position.ask_again') : t('position.close_all.submit', { count })
  }

  if (skipped.length > 0)
    return (
      <Sheet
        open
        onClose={onClose}
        title={t('position.close_all.skipped', { count: skipped.length })}
        footer={
          <Button block size="large" onClick={onClose}>
            {t('ui.close')}
          </Button>
        }
      >
        <SkippedPositions skipped={skipped} positions={asked} products={products} />
      </Sheet>
    )
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('position.close_all.title')}
      footer={
        <Button
          block
          size="large"
          variant="danger"
          busy={write.isPending}
          disabled={!unanswered && (offline || count === 0)}
          onClick={submit}
        >
          {label()}
        </Button>
      }
    >
      <div className={styles.form}>
        <CloseScopeFields
          scope={scope}
          positions={positions}
          products={products}
          disabled={write.isPending || unanswered !== undefined}
          onChange={setScope}
        />
        {count === 0 && <p className={styles.note}>{t('position.close_all.none')}</p>}
        <PositionLines positions={chosen} products={products} />
        {count > 0 && (
          <dl className={styles.rows}>
            <div>
              <dt>{t('figure.open_profit')}</dt>
              <dd className={styles.price}>
                <ChangeText kind="number" value={profitOf(chosen)} arrow /> <small>USDT</small>
              </dd>
            </div>
          </dl>
        )}
        {write.error && !write.isPending && <FailureNote error={write.error} />}
        {offline && <p className={styles.note}>{t('trade.obstacle.offline')}</p>}
        <p className={styles.hint}>{t('position.close_all.note')}</p>
      </div>
    </Sheet>
  )
}
