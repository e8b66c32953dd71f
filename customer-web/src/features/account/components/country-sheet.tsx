import { useTranslation } from 'react-i18next'
import { Sheet } from '@/ui/sheet/sheet'
import type { ListedCountry } from '../model/country-search'
import { CountryList, type CountryQuery } from './country-list'

export type CountrySheetProps<C extends ListedCountry> = {
  /** Fetches the countries. */
  useList: () => CountryQuery<C>
  open: boolean
  /** ISO code of the chosen country. */
  chosen: string
  /** Shows the dialling codes. */
  withCodes?: boolean
  onChoose: (country: C) => void
  onClose: () => void
}

/** A sheet to pick one country. */
export function CountrySheet<C extends ListedCountry>({
  useList,
  open,
  chosen,
  withCodes = false,
  onChoose,
  onClose,
}: CountrySheetProps<C>) {
  const { t } = useTranslation()
  return (
    <Sheet
      open={open}
      title={withCodes ? t('country.title.codes') : t('country.title')}
      onClose={onClose}
    >
      <CountryList useList={useList} chosen={chosen} withCodes={withCodes} onChoose={onChoose} />
    </Sheet>
  )
}
