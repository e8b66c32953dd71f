import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useDesktop } from '@/theme/use-media'
import { ProductSearch } from '../parts/product-search'
import styles from '../parts/search.module.css'
import { HOME_PATH } from '../routes'
import { useTitle } from '../use-title'

/** The product search as a page of its own. */
export default function Search() {
  const { t } = useTranslation()
  const desktop = useDesktop()
  const navigate = useNavigate()
  const { key } = useLocation()
  useTitle(t('search.title'))

  const goBack = () => {
    // The first page of a visit has the key "default", so there is no page of ours to go back to.
    if (key === 'default') void navigate(HOME_PATH)
    else void navigate(-1)
  }

  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('search.title')}</h1>
      <ProductSearch onBack={desktop ? undefined : goBack} />
    </div>
  )
}
