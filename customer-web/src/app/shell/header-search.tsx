import ButtonBase from '@mui/material/ButtonBase'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { Sheet } from '@/ui/sheet/sheet'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { useShortcuts } from '@/ui/use-shortcuts'
import styles from './header-search.module.css'

const ProductSearch = lazy(async () => ({
  default: (await import('../parts/product-search')).ProductSearch,
}))

/** Opens the product search, as do "/" outside of a field and Ctrl-K anywhere. */
export function HeaderSearch() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  useShortcuts({ '/': () => setOpen(true) })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!asksForSearch(event)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <>
      <ButtonBase
        className={styles.button}
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K"
        aria-label={t('search.products')}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span className={styles.label}>{t('search.products')}</span>
        <kbd className={styles.key}>/</kbd>
      </ButtonBase>
      <Sheet open={open} title={t('search.products')} width={600} onClose={close}>
        <Suspense fallback={<SkeletonRows rows={8} />}>
          <ProductSearch onDone={close} />
        </Suspense>
      </Sheet>
    </>
  )
}

/** Ctrl-K or Command-K, unless a dialog is open. */
function asksForSearch({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (document.querySelector('[role="dialog"]')) return false
  return (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k'
}
