import ButtonBase from '@mui/material/ButtonBase'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import type { Product } from '@/features/market/api/products'
import { formatFixed } from '@/format/amount'
import { formatLots } from '@/format/lots'
import { formatPrice } from '@/format/price'
import { Button } from '@/ui/button'
import { ChangeText } from '@/ui/change-text'
import { Num } from '@/ui/num'
import { Tag } from '@/ui/tag'
import { profitOnMargin } from '../../model/profit-on-margin'
import { ProofButton } from '../history/proof-button'
import { ChargesText } from './charges-text'
import { OpenedText } from './opened-text'
import styles from './position-card.module.css'
import { ClosePositionSheet, ProtectSheet, preloadClosing } from './position-forms'
import { TrailText } from './trail-text'

export type PositionCardProps = {
  position: Wire['Position']
  product: Product
  /** Shows details and actions initially. */
  open?: boolean
}

/** An open position on a phone: two lines that expand to its details and actions. */
export function PositionCard({ position, product, open = false }: PositionCardProps) {
  const { t } = useTranslation()
  const detailsId = useId()
  const [shown, setShown] = useState(open)
  const [acting, setActing] = useState<'close' | 'protect' | null>(null)
  const { side, lots, openPrice, price, stopLoss, takeProfit } = position
  const { point, productNo } = product
  const word = t(side === 'buy' ? 'trade.buy' : 'trade.sell')
  const end = () => setActing(null)
  useEffect(preloadClosing, [])
  return (
    <article className={styles.card}>
      <ButtonBase
        className={styles.head}
        aria-expanded={shown}
        aria-controls={detailsId}
        onClick={() => setShown(!shown)}
      >
        <span className={styles.line}>
          <b>{productNo}</b>
          <Tag tone={side === 'buy' ? 'up' : 'down'}>
            {word} <Num>{formatLots(product, lots)}</Num>
          </Tag>
          <Num className={styles.leverage}>1:{position.leverage}</Num>
          <span className={styles.profit}>
            <ChangeText kind="number" value={position.profit} arrow />
          </span>
        </span>
        <span className={styles.second}>
          <bdi dir="ltr" className="n">
            {formatPrice(openPrice, point)} → {formatPrice(price, point)}
          </bdi>
          <ChangeText value={profitOnMargin(position)} />
        </span>
      </ButtonBase>
      <div id={detailsId} hidden={!shown}>
        {shown && (
          <>
            <dl className={styles.details}>
              <div>
                <dt>{t('trade.stop_loss')}</dt>
                <dd>
                  <Num>{formatPrice(stopLoss, point)}</Num>
                </dd>
              </div>
              <div>
                <dt>{t('trade.take_profit')}</dt>
                <dd>
                  <Num>{formatPrice(takeProfit, point)}</Num>
                </dd>
              </div>
              {position.trailingStop !== undefined && (
                <div>
                  <dt>{t('trade.rule_of.trailing')}</dt>
                  <dd>
                    <TrailText position={position} product={product} />
                  </dd>
                </div>
              )}
              <div>
                <dt>{t('trade.margin')}</dt>
                <dd>
                  <Num>{formatFixed(position.margin, 2)}</Num>
                </dd>
              </div>
              <div>
                <dt>{t('trade.commission')}</dt>
                <dd>
                  <Num>{formatFixed(position.commission, 2)}</Num>
                </dd>
              </div>
              <div>
                <dt>{t('position.swap')}</dt>
                <dd>
                  <ChargesText position={position} product={product} />
                </dd>
              </div>
              <div>
                <dt>{t('trade.opened')}</dt>
                <dd>
                  <OpenedText at={position.openedAt} />
                </dd>
              </div>
            </dl>
            <div className={styles.actions}>
              <Button onClick={() => setActing('close')}>{t('position.close')}</Button>
              <Button onClick={() => setActing('protect')}>{t('position.protect')}</Button>
              <ProofButton positionId={position.positionId} />
            </div>
          </>
        )}
      </div>
      {acting === 'close' && <ClosePositionSheet position={position} onClose={end} />}
      {acting === 'protect' && <ProtectSheet position={position} onClose={end} />}
    </article>
  )
}
