import { useTranslation } from 'react-i18next'
import type { PriceDirection } from '@/theme/preferences'
import { Tag } from '@/ui/tag'
import { Triangle } from '@/ui/triangle'

export type DirectionSampleProps = { direction: PriceDirection }

/** Previews rising and falling prices in one colour scheme, independent of the page's scheme. */
export function DirectionSample({ direction }: DirectionSampleProps) {
  const { t } = useTranslation()
  return (
    <span data-direction={direction} style={{ display: 'inline-flex', gap: 4 }}>
      <Tag tone="up">
        <Triangle direction="up" />
        {t('preferences.direction.up')}
      </Tag>
      <Tag tone="down">
        <Triangle direction="down" />
        {t('preferences.direction.down')}
      </Tag>
    </span>
  )
}
