import ButtonBase from '@mui/material/ButtonBase'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '@/i18n/error-text'
import { useLanguage } from '@/i18n/use-language'
import { useDesktop } from '@/theme/use-media'
import { cx } from '@/ui/cx'
import { ErrorBlock } from '@/ui/error-block'
import { toFailure } from '@/ui/form/problems'
import { Icon } from '@/ui/icons/icon'
import { Num } from '@/ui/num'
import { SearchField } from '@/ui/search-field'
import { SkeletonRows } from '@/ui/skeleton-rows'
import { type ListedCountry, nameCountries, searchCountries } from '../model/country-search'
import styles from './country-list.module.css'

/** The query result of a country list. */
export type CountryQuery<C extends ListedCountry> = {
  data: readonly C[] | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
}

export type CountryListProps<C extends ListedCountry> = {
  /** Fetches the countries. */
  useList: () => CountryQuery<C>
  /** ISO code of the chosen country. */
  chosen: string
  /** Shows the dialling codes. */
  withCodes: boolean
  onChoose: (country: C) => void
}

/** The countries by their names in the active language, with a search field. */
export function CountryList<C extends ListedCountry>({
  useList,
  chosen,
  withCodes,
  onChoose,
}: CountryListProps<C>) {
  const { t } = useTranslation()
  const { tag } = useLanguage()
  const desktop = useDesktop()
  const [wanted, setWanted] = useState('')
  const { data, error, isFetching, refetch } = useList()
  const named = useMemo(() => nameCountries(data ?? [], tag), [data, tag])
  const found = searchCountries(named, wanted)

  return (
    <>
      <div className={styles.search}>
        <SearchField
          value={wanted}
          onChange={setWanted}
          label={t('country.search')}
          autoFocus={desktop}
        />
      </div>
      {error && !data && (
        <ErrorBlock
          reason={errorText(toFailure(error))}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {!error && !data && <SkeletonRows rows={8} rowHeight={48} />}
      {data && found.length === 0 && (
        <p className={styles.none} role="status">
          {t('country.none', { text: wanted.trim() })}
        </p>
      )}
      <ul className={styles.list}>
        {found.map((country) => (
          <li key={country.country}>
            <ButtonBase
              className={cx(styles.row, country.country === chosen && styles.on)}
              aria-current={country.country === chosen}
              onClick={() => onChoose(country)}
            >
              <span className={styles.name}>{country.name}</span>
              {withCodes && <Num className={styles.code}>+{country.code}</Num>}
              {country.country === chosen && <Icon name="check" className={styles.tick} />}
            </ButtonBase>
          </li>
        ))}
      </ul>
    </>
  )
}
