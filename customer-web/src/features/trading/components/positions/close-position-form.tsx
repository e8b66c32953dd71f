import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatFixed, formatPercent } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatLots } from '@/format/lots'
import { completeNumeric } from '@/format/numeric-input'
import { formatPrice, truncatePrice } from '@/format/price'
import { quoteStore } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import { toast } from '@/ui/toast/toast-store'
import { useClosePosition } from '../../api/orders'
import { isAll, partProblem, restOf, SLIPPAGE_BPS, shareOfSum } from '../../model/close-part'
import { estimateCommission, estimateProfit } from '../../model/estimate'
import { realisedText } from '../../model/realised'
import { useLivePosition } from '../../model/use-live-position'
import { useOrderState } from '../../model/use-order-state'
import { ObstacleNote } from '../ticket/obstacle-note'
import { ClosePartField } from './close-part-field'
import type { CloseFormProps } from './close-position-sheet'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { SheetFoot } from './sheet-foot'

const read = (productId: number) => quoteStore.get(productId)

/** Closes a position: volume, current price, expected profit, and the button. */
export function ClosePositionForm({ product, foot, onClose, ...props }: CloseFormProps) {
  const { t } = useTranslation()
  const { position, gone } = useLivePosition(props.position)
  const state = useOrderState(product)
  useQuote(product.conversion.productId || product.productId)
  const [lots, setLots] = useState(position.lots)
  const [checking, setChecking] = useState(false)
  const close = useClosePosition(() => setChecking(true))

  const { positionId, side } = position
  const price = side === 'buy' ? state.quote?.bid : state.quote?.ask
  const problem = partProblem(product, lots, position.lots)
  const deal = { side, lots, open: position.openPrice, close: price ?? '' }
  const profit =
    problem === 'lots'
      ? null
      : (estimateProfit(product, deal, read) ?? shareOfSum(position.profit, lots, position.lots))
  const fee = estimateCommission(product, { lots, price: price ?? '' }, read)
  const unanswered = isOutcomeUnknown(close.error)
  const ended = gone && !close.isPending && !close.isSuccess

  const send = async (body: Wire['ClosePosition']) => {
    setChecking(false)
    try {
      const { fill } = await close.mutateAsync(body)
      if (fill) notifyClosed(fill)
      onClose()
    } catch {
      // The failure stays visible in the sheet.
    }
  }

  const notifyClosed = (fill: Wire['Fill']) =>
    toast.success(
      t('position.close.done', {
        symbol: product.productNo,
        lots: formatLots(product, fill.lots),
        price: formatPrice(fill.price, product.point),
        profit: realisedText([fill]),
      }),
      {
        action: {
          label: t('trade.proof'),
          onPress: () => openReceipt(fill.fillId),
        },
      },
    )

  const submit = () => {
    // An unanswered write is repeated unchanged.
    if (unanswered && close.variables) return void send(close.variables)
    if (!price) return
    void send({
      positionId,
      price: truncatePrice(price, product.point),
      slippageBps: SLIPPAGE_BPS,
      ...(isAll(lots, position.lots) ? {} : { lots: completeNumeric(lots) }),
    })
  }

  const label = () => {
    if (close.isPending) return checking ? t('trade.checking') : t('position.close.sending')
    if (unanswered) return t('position.ask_again')
    return t('position.close.submit', {
      lots: formatLots(product, completeNumeric(lots)),
      price: price ? formatPrice(price, product.point) : '–',
    })
  }

  return (
    <div className={styles.form}>
      <SheetFoot place={foot}>
        <Button
          block
          size="large"
          variant="primary"
          busy={close.isPending}
          disabled={!unanswered && (ended || problem !== null || !price || state.obstacle !== null)}
          onClick={submit}
          className={styles.submit}
        >
          {label()}
        </Button>
      </SheetFoot>
      <ClosePartField
        product={product}
        of={position.lots}
        lots={lots}
        problem={problem}
        disabled={close.isPending || unanswered || ended}
        onChange={setLots}
      />
      <dl className={styles.rows}>
        <div>
          <dt>{t(side === 'buy' ? 'position.close.price_sell' : 'position.close.price_buy')}</dt>
          <dd className={styles.price}>
            <PriceText price={price} point={product.point} />
          </dd>
        </div>
        <div>
          <dt>{t('position.close.profit')}</dt>
          <dd>
            {profit === null ? (
              <Num>–</Num>
            ) : (
              <>
                <ChangeText kind="number" value={profit} arrow /> <small>USDT</small>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{t('trade.commission')}</dt>
          <dd>
            <Num>{fee === null ? '–' : formatFixed(fee, 2)}</Num> <small>USDT</small>
          </dd>
        </div>
        {problem === null && !isAll(lots, position.lots) && (
          <div>
            <dt>{t('position.close.stays')}</dt>
            <dd>
              <Num>{formatLots(product, restOf(lots, position.lots))}</Num>{' '}
              <small>{t('trade.lots')}</small>
            </dd>
          </div>
        )}
      </dl>
      {close.error && !close.isPending && <FailureNote error={close.error} />}
      {ended ? <p className={styles.note}>{t('position.gone')}</p> : <ObstacleNote state={state} />}
      <p className={styles.hint}>
        {t('position.close.note', { percent: bidiIsolate(formatPercent(SLIPPAGE_BPS / 100, 1)) })}
      </p>
    </div>
  )
}
