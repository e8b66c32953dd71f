import ButtonBase from '@mui/material/ButtonBase'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allowedLanguages } from '@/i18n/locale-files'
import { useLanguage } from '@/i18n/use-language'
import { chooseLanguage } from '@/theme/choose-language'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/icons/icon'
import { SearchField } from '@/ui/search-field'
import { Flag } from '../parts/lang-flag'
import { searchLanguages } from '../parts/lang-search'
import { Page } from '../parts/page'
import styles from './lang.module.css'

/** The language picker: each language by its own name; a choice applies at once. */
export default function Lang() {
  const { t } = useTranslation()
  const active = useLanguage()
  const [wanted, setWanted] = useState('')
  const found = searchLanguages(allowedLanguages, wanted, active.tag)

  return (
    <Page title={t('lang.title')}>
      <div className={styles.search}>
        <SearchField value={wanted} onChange={setWanted} label={t('lang.search')} />
      </div>
      {found.length === 0 ? (
        <p className={styles.none} role="status">
          {t('lang.none', { text: wanted.trim() })}
        </p>
      ) : (
        <ul className={styles.list} aria-label={t('lang.title')}>
          {found.map(({ code, name, tag, dir, flag, translatedName }) => (
            <li key={code}>
              <ButtonBase
                className={cx(styles.row, code === active.code && styles.on)}
                aria-current={code === active.code}
                onClick={() => void chooseLanguage(code)}
              >
                <Flag country={flag} />
                <span className={styles.names}>
                  <span lang={tag} dir={dir} className={styles.name}>
                    {name}
                  </span>
                  {translatedName !== name && (
                    <span className={styles.second}>{translatedName}</span>
                  )}
                </span>
                {code === active.code && <Icon name="check" size={20} className={styles.tick} />}
              </ButtonBase>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
