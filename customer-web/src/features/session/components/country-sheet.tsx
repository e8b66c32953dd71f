import { useTranslation } from 'react-i18next'
import { Sheet } from '@/ui/sheet/sheet'
import type { ListedCountry } from '../model/country-search'
import { CountryList, type CountryQuery } from './country-list'

export type CountrySheetProps<C extends ListedCountry> = {
  countries: CountryQuery<C>
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
  countries,
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
      <CountryList
        countries={countries}
        chosen={chosen}
        withCodes={withCodes}
        onChoose={onChoose}
      />
    </Sheet>
  )
}
