import Checkbox from '@mui/material/Checkbox'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import { type ColumnRule, chooseColumn, resetColumns } from '../../model/table-columns'

type Titled = ColumnRule & { title: string }

export type ColumnMenuProps = {
  table: string
  columns: readonly Titled[]
  shown: readonly Titled[]
}

/** Chooses the columns of a table, apart from those that always show. */
export function ColumnMenu({ table, columns, shown }: ColumnMenuProps) {
  const { t } = useTranslation()
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const optional = columns.filter(({ priority }) => priority !== undefined)
  if (optional.length === 0) return null
  const isShown = (key: string) => shown.some((column) => column.key === key)
  return (
    <>
      <IconButton
        aria-label={t('table.columns')}
        title={t('table.columns')}
        aria-haspopup="menu"
        aria-controls={anchor ? id : undefined}
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="columns" />
      </IconButton>
      <Menu id={id} open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {optional.map(({ key, title }) => (
          <MenuItem
            key={key}
            role="menuitemcheckbox"
            aria-checked={isShown(key)}
            onClick={() => chooseColumn(table, key, !isShown(key))}
          >
            <Checkbox
              checked={isShown(key)}
              size="small"
              tabIndex={-1}
              slotProps={{ input: { 'aria-hidden': true } }}
            />
            <ListItemText>{title}</ListItemText>
          </MenuItem>
        ))}
        <Divider />
        <MenuItem onClick={() => resetColumns(table)}>{t('table.columns_reset')}</MenuItem>
      </Menu>
    </>
  )
}
