import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatFixed } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { useAccount } from '@/live/account-store'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { EmptyState } from '@/ui/empty-state'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { toast } from '@/ui/toast/toast-store'
import { useCloseByPosition } from '../../api/bulk-close'
import { oppositePositions, settle } from '../../model/close-by'
import { realisedText } from '../../model/realised'
import { useIsGone, useLivePosition } from '../../model/use-live-position'
import { useOrderState } from '../../model/use-order-state'
import { ObstacleNote } from '../ticket/obstacle-note'
import type { CloseFormProps } from './close-position-sheet'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { SheetFoot } from './sheet-foot'

/** Closes a position against an opposite one: which one, the realised profit, and the remainder. */
export function CloseByForm({ product, foot, onClose, ...props }: CloseFormProps) {
  const { t } = useTranslation()
  const labelId = useId()
  const { position } = useLivePosition(props.position)
  const gone = useIsGone(props.position.positionId)
  const positions = useAccount((account) => account.positions) ?? []
  const state = useOrderState(product)
  useQuote(product.conversion.productId || product.productId)
  const [wanted, setWanted] = useState<number | null>(null)
  const [checking, setChecking] = useState(false)
  const write = useCloseByPosition(() => setChecking(true))
  const unanswered = isOutcomeUnknown(write.error) ? write.variables : undefined
  const frozen = write.isPending || unanswered !== undefined

  const { point, productNo } = product
  const opposite = oppositePositions(position, positions)
  const [first] = opposite
  // The first one is chosen once and stays chosen: the button never turns to another position by itself.
  if (wanted === null && first) setWanted(first.positionId)
  const other = opposite.find(({ positionId }) => positionId === wanted)
  const sum = other && settle(product, position, other, readQuote)
  const ended = wanted !== null && !other && !frozen && !write.isSuccess
  const word = (side: 'buy' | 'sell') => t(side === 'buy' ? 'trade.buy' : 'trade.sell')

  const submit = () => {
    const body =
      unanswered ?? (other && { positionId: position.positionId, byPositionId: other.positionId })
    if (!body) return
    setChecking(false)
    write.mutate(body, {
      onSuccess: ({ fills }) => {
        const [fill] = fills
        if (!fill) return
        const price = formatPrice(fill.price, point)
        toast.success(
          t('position.close_by.done', {
            symbol: productNo,
            lots: formatLots(product, fill.lots),
            price,
            profit: realisedText(fills),
          }),
          { action: { label: t('trade.proof'), onPress: () => openReceipt(fill.fillId) } },
        )
        onClose()
      },
    })
  }

  const label = () => {
    if (write.isPending) return checking ? t('trade.checking') : t('position.close.sending')
    if (unanswered) return t('position.ask_again')
    return t('position.close_by.submit', { lots: sum ? formatLots(product, sum.lots) : '–' })
  }

  if (opposite.length === 0 && !frozen)
    return <EmptyState text={t('position.close_by.none', { symbol: productNo })} />
  return (
    <div className={styles.form}>
      <SheetFoot place={foot}>
        <Button
          block
          size="large"
          variant="primary"
          busy={write.isPending}
          disabled={!unanswered && (!sum || sum.problem !== null || state.obstacle !== null)}
          onClick={submit}
          className={styles.submit}
        >
          {label()}
        </Button>
      </SheetFoot>
      <div>
        <p id={labelId} className={styles.label}>
          {t('position.close_by.against')}
        </p>
        <RadioGroup
          aria-labelledby={labelId}
          value={other?.positionId ?? null}
          className={styles.choices ?? ''}
          onChange={(_, id) => setWanted(Number(id))}
        >
          {opposite.map((one) => (
            <FormControlLabel
              key={one.positionId}
              value={one.positionId}
              disabled={frozen}
              disableTypography
              className={styles.choice ?? ''}
              control={<Radio size="small" className={styles.radio ?? ''} />}
              label={
                <>
                  <Tag tone={one.side === 'buy' ? 'up' : 'down'}>
                    {word(one.side)} <Num>{formatLots(product, one.lots)}</Num>
                  </Tag>
                  <Num>{formatPrice(one.openPrice, point)}</Num>
                  <span className={styles.end}>
                    <ChangeText kind="number" value={one.profit} />
                  </span>
                </>
              }
            />
          ))}
        </RadioGroup>
      </div>
      {sum && other && (
        <dl className={styles.rows}>
          <div>
            <dt>{t('position.close_by.price')}</dt>
            <dd className={styles.price}>
              <Num>{formatPrice(other.openPrice, point)}</Num>
            </dd>
          </div>
          <div>
            <dt>{t('position.close_by.realises')}</dt>
            <dd>
              {sum.profit === null ? (
                <Num>–</Num>
              ) : (
                <>
                  <ChangeText kind="number" value={sum.profit} arrow /> <small>USDT</small>
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>{t('trade.commission')}</dt>
            <dd>
              <Num>{sum.commission === null ? '–' : formatFixed(sum.commission, 2)}</Num>{' '}
              <small>USDT</small>
            </dd>
          </div>
          <div>
            <dt>{t('position.close.stays')}</dt>
            <dd>
              {sum.stays ? (
                <>
                  {word(sum.stays.position.side)} <Num>{formatLots(product, sum.stays.lots)}</Num>{' '}
                  <small>{t('trade.lots')}</small>
                </>
              ) : (
                t('position.close_by.nothing')
              )}
            </dd>
          </div>
        </dl>
      )}
      {sum?.problem && (
        <p className={styles.problem}>
          {t('position.close_by.rest', { min: formatLots(product, product.lotMin) })}
        </p>
      )}
      {write.error && !write.isPending && <FailureNote error={write.error} />}
      {ended && (
        <p className={styles.note}>{t(gone ? 'position.gone' : 'position.close_by.gone')}</p>
      )}
      <ObstacleNote state={state} />
      <p className={styles.hint}>{t('position.close_by.note')}</p>
    </div>
  )
}
