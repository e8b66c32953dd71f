import { useTranslation } from 'react-i18next'
import { Sheet } from '@/ui/sheet/sheet'
import type { Country } from '../api/countries'
import { CountryList } from './country-list'

export type CountrySheetProps = {
  open: boolean
  /** ISO code of the country that is chosen now. */
  chosen: string
  /** Shows the telephone codes. */
  withCodes?: boolean
  onChoose: (country: Country) => void
  onClose: () => void
}

/** Asks for one country of all. */
export function CountrySheet({
  open,
  chosen,
  withCodes = false,
  onChoose,
  onClose,
}: CountrySheetProps) {
  const { t } = useTranslation()
  return (
    <Sheet
      open={open}
      title={withCodes ? t('country.title.codes') : t('country.title')}
      onClose={onClose}
    >
      <CountryList chosen={chosen} withCodes={withCodes} onChoose={onChoose} />
    </Sheet>
  )
}
