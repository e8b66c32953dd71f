import { useTranslation } from 'react-i18next'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import styles from './star-button.module.css'

export type StarButtonProps = {
  symbol: string
  on: boolean
  onClick: () => void
}

/** Adds a product to the favourites or removes it. */
export function StarButton({ symbol, on, onClick }: StarButtonProps) {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className={cx(styles.star, on && styles.on)}
      aria-label={on ? t('favourites.remove', { symbol }) : t('favourites.add', { symbol })}
      onClick={onClick}
    >
      <Icon name="star" />
    </button>
  )
}
