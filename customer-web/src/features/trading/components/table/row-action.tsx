import IconButton from '@mui/material/IconButton'
import { useMedia } from '@/theme/use-media'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons/icon'
import type { IconName } from '@/ui/icons/icon-shapes'

export type RowActionProps = {
  icon: IconName
  label: string
  busy?: boolean
  onClick: () => void
}

/** An action of a table's row: a word from 1280 px on, below it an icon with the word as its title. */
export function RowAction({ icon, label, busy = false, onClick }: RowActionProps) {
  const wide = useMedia('(min-width: 1280px)')
  if (wide) {
    return (
      <Button size="small" variant="quiet" busy={busy} onClick={onClick}>
        {label}
      </Button>
    )
  }
  return (
    <IconButton aria-label={label} title={label} loading={busy} onClick={onClick}>
      <Icon name={icon} />
    </IconButton>
  )
}
