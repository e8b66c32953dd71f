import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Wire } from '@/api/client'
import { type Product, useProduct } from '@/features/market/api/products'
import { Sheet } from '@/ui/sheet/sheet'
import { TabGroup } from '@/ui/tab-group'
import { CloseByForm } from './close-by-form'
import { ClosePositionForm } from './close-position-form'
import styles from './position-sheets.module.css'
import { PositionTitle } from './position-title'
import { ReverseForm } from './reverse-form'

export type ClosePositionSheetProps = { position: Wire['Position']; onClose: () => void }

/** The props of each closing form: the position, the sheet's footer for its button, and what to do afterwards. */
export type CloseFormProps = {
  position: Wire['Position']
  product: Product
  foot: HTMLElement | null
  onClose: () => void
}

const WAYS = ['market', 'close_by', 'reverse'] as const
const forms = { market: ClosePositionForm, close_by: CloseByForm, reverse: ReverseForm }

/** Closes a position: at the market, against an opposite one, or by reversing it. */
export function ClosePositionSheet({ position, onClose }: ClosePositionSheetProps) {
  const { t } = useTranslation()
  const product = useProduct(position.productId)
  const panelId = useId()
  const [way, setWay] = useState<(typeof WAYS)[number]>('market')
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  if (!product) return null
  const Form = forms[way]
  return (
    <Sheet
      open
      onClose={onClose}
      title={<PositionTitle position={position} product={product} act="close" />}
      footer={<div ref={setFoot} className={styles.foot} />}
    >
      <TabGroup
        label={t('position.ways')}
        panelId={panelId}
        className={styles.ways}
        active={WAYS.indexOf(way)}
        onChange={(index) => setWay(WAYS[index] ?? 'market')}
        list={WAYS.map((one) => ({ title: t(`position.way.${one}`) }))}
      />
      <div id={panelId} role="tabpanel" aria-label={t(`position.way.${way}`)}>
        <Form position={position} product={product} foot={foot} onClose={onClose} />
      </div>
    </Sheet>
  )
}
