import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '@/api/idempotent-mutation'
import type { Product } from '@/features/market/api/products'
import { openReceipt } from '@/features/receipt/model/open-receipt'
import { formatFixed, formatPercent } from '@/format/amount'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatLots } from '@/format/lots'
import { formatPrice, truncatePrice } from '@/format/price'
import { readQuote } from '@/live/quote-store'
import { useQuote } from '@/live/use-quote'
import { useLeverageCaps, useLeverageCeiling } from '@/session/info-query'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { PriceText } from '@/ui/price-text'
import { toast } from '@/ui/toast/toast-store'
import { useReversePosition } from '../../api/bulk-close'
import { SLIPPAGE_BPS } from '../../model/close-part'
import { estimateMargin, estimateProfit } from '../../model/estimate'
import { realisedText } from '../../model/realised'
import { leveragesOf } from '../../model/ticket-store'
import { useLivePosition } from '../../model/use-live-position'
import { useOpeningState } from '../../model/use-order-state'
import { ObstacleNote } from '../ticket/obstacle-note'
import type { CloseFormProps } from './close-position-sheet'
import { FailureNote } from './failure-note'
import styles from './position-sheets.module.css'
import { SheetFoot } from './sheet-foot'

/** The account's leverage ceiling for a product where it forbids the opposite of a position, which would have the same leverage; null where it allows it. */
function useReverseCeiling(product: Product, leverage: number): number | null {
  const caps = useLeverageCaps()
  const ceiling = useLeverageCeiling()
  if (ceiling === undefined) return null
  const most = Math.max(...leveragesOf(product, caps, ceiling))
  return leverage > most ? most : null
}

/** Reverses a position: what closes, what opens, the realised profit, the required margin, and the button. */
export function ReverseForm({ product, foot, onClose, ...props }: CloseFormProps) {
  const { t } = useTranslation()
  const { position, gone } = useLivePosition(props.position)
  const state = useOpeningState(product)
  useQuote(product.conversion.productId || product.productId)
  useQuote(product.marginConversion.productId || product.productId)
  const [checking, setChecking] = useState(false)
  const write = useReversePosition(() => setChecking(true))
  const unanswered = isOutcomeUnknown(write.error) ? write.variables : undefined
  const ended = gone && !write.isPending && !write.isSuccess

  const { side, lots, leverage, positionId } = position
  const ceiling = useReverseCeiling(product, leverage)
  const { point, productNo } = product
  const price = side === 'buy' ? state.quote?.bid : state.quote?.ask
  const word = t(side === 'buy' ? 'trade.sell' : 'trade.buy')
  const deal = { side, lots, open: position.openPrice, close: price ?? '' }
  const profit = estimateProfit(product, deal, readQuote) ?? position.profit
  const margin = estimateMargin(product, { lots, leverage, price: price ?? '' }, readQuote)

  const submit = () => {
    const body =
      unanswered ??
      (price && { positionId, price: truncatePrice(price, point), slippageBps: SLIPPAGE_BPS })
    if (!body) return
    setChecking(false)
    write.mutate(body, {
      onSuccess: ({ fills }) => {
        const opened = fills.find(({ entry }) => entry === 'open')
        if (!opened) return
        const what = {
          ...{ symbol: productNo, side: word, lots: formatLots(product, opened.lots) },
          price: formatPrice(opened.price, point),
          profit: realisedText(fills),
        }
        toast.success(t('position.reverse.done', what), {
          action: { label: t('trade.proof'), onPress: () => openReceipt(opened.fillId) },
        })
        onClose()
      },
    })
  }

  const label = () => {
    if (write.isPending) return checking ? t('trade.checking') : t('position.reverse.sending')
    if (unanswered) return t('position.ask_again')
    return t('position.reverse.submit', {
      ...{ side: word, lots: formatLots(product, lots) },
      price: price ? formatPrice(price, point) : '–',
    })
  }

  return (
    <div className={styles.form}>
      <SheetFoot place={foot}>
        <Button
          block
          size="large"
          variant="primary"
          busy={write.isPending}
          disabled={!unanswered && (ended || !price || state.obstacle !== null || ceiling !== null)}
          onClick={submit}
          className={styles.submit}
        >
          {label()}
        </Button>
      </SheetFoot>
      <dl className={styles.rows}>
        <div>
          <dt>{t(side === 'buy' ? 'position.reverse.price_bid' : 'position.reverse.price_ask')}</dt>
          <dd className={styles.price}>
            <PriceText price={price} point={point} />
          </dd>
        </div>
        <div>
          <dt>{t('position.close.profit')}</dt>
          <dd>
            <ChangeText kind="number" value={profit} arrow /> <small>USDT</small>
          </dd>
        </div>
        <div>
          <dt>{t('position.reverse.opens')}</dt>
          <dd>
            {word} <Num>{formatLots(product, lots)}</Num> <small>{t('trade.lots')}</small>{' '}
            <Num>1:{leverage}</Num>
          </dd>
        </div>
        <div>
          <dt>{t('position.reverse.margin')}</dt>
          <dd>
            <Num>{margin === null ? '–' : formatFixed(margin, 2)}</Num> <small>USDT</small>
          </dd>
        </div>
      </dl>
      {write.error && !write.isPending && <FailureNote error={write.error} />}
      {ended ? <p className={styles.note}>{t('position.gone')}</p> : <ObstacleNote state={state} />}
      {ceiling !== null && !ended && (
        <p className={styles.note}>
          {t('position.reverse.ceiling', {
            most: bidiIsolate(`1:${ceiling}`),
            leverage: bidiIsolate(`1:${leverage}`),
          })}
        </p>
      )}
      <p className={styles.hint}>
        {t('position.reverse.note', { percent: bidiIsolate(formatPercent(SLIPPAGE_BPS / 100, 1)) })}
      </p>
    </div>
  )
}
