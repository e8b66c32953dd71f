import Autocomplete from '@mui/material/Autocomplete'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatOffset, type Zone, zoneName, zoneNames } from '@/format/zone'

export type ZoneFieldProps = { value: Zone; onChange: (zone: Zone) => void }

/** The time zone of every time in the app: the device's, UTC, or any by name or offset. */
export function ZoneField({ value, onChange }: ZoneFieldProps) {
  const { t } = useTranslation()
  const zones = useMemo<Zone[]>(() => ['local', 'utc', ...zoneNames()], [])
  const labels = useMemo(() => {
    const now = Date.now()
    const labelOf = (zone: Zone) => {
      if (zone === 'utc') return t('preferences.zone.utc')
      const [name, offset] = [zoneName(zone).replaceAll('_', ' '), formatOffset(now, zone)]
      const place = name === offset ? name : `${name}, ${offset}`
      return zone === 'local' ? `${t('preferences.zone.local')} (${place})` : place
    }
    return new Map(zones.map((zone) => [zone, labelOf(zone)]))
  }, [zones, t])
  return (
    <Autocomplete
      fullWidth
      disableClearable
      options={zones}
      value={value}
      onChange={(_, zone) => onChange(zone)}
      getOptionLabel={(zone) => labels.get(zone) ?? zone}
      noOptionsText={t('preferences.zone.none')}
      openText={t('preferences.zone.title')}
      closeText={t('ui.close')}
      renderInput={({ id, slotProps: { inputLabel, input, htmlInput } }) => (
        <FormControl fullWidth sx={{ gap: '8px' }}>
          <FormLabel {...inputLabel}>{t('preferences.zone.title')}</FormLabel>
          <OutlinedInput id={id} {...input} slotProps={{ input: htmlInput }} />
        </FormControl>
      )}
    />
  )
}
