import { useTranslation } from 'react-i18next'
import { Sheet } from '@/ui/sheet/sheet'
import type { ListedCountry } from '../model/country-search'
import { CountryList, type CountryQuery } from './country-list'

export type CountrySheetProps<C extends ListedCountry> = {
  /** Asks for the countries to choose from. */
  useList: () => CountryQuery<C>
  open: boolean
  /** ISO code of the country that is chosen now. */
  chosen: string
  /** Shows the telephone codes. */
  withCodes?: boolean
  onChoose: (country: C) => void
  onClose: () => void
}

/** Asks for one country of all. */
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
