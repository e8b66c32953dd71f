import { useTranslation } from 'react-i18next'
import { bidiIsolate } from '@/format/bidi-isolate'
import { formatPrice } from '@/format/price'
import type { StopOutPrice } from '../../model/stop-out-price'

export type StopOutTextProps = { at: StopOutPrice; point: number }

/** The bid or ask at which a stop-out would start. */
export function StopOutText({ at: { price, of }, point }: StopOutTextProps) {
  const { t } = useTranslation()
  return t(`margin.from_${of}`, { price: bidiIsolate(formatPrice(price, point)) })
}
