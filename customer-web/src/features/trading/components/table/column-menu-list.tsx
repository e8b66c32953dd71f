import Checkbox from '@mui/material/Checkbox'
import Divider from '@mui/material/Divider'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useTranslation } from 'react-i18next'
import { chooseColumn, resetColumns } from '../../model/table-columns'
import type { ColumnMenuProps } from './column-menu'

export type ColumnMenuListProps = ColumnMenuProps & {
  id: string
  /** The button that opened it. */
  anchor: HTMLElement | null
  onClose: () => void
}

/** The columns that the trader may show or hide. */
export default function ColumnMenuList({
  id,
  anchor,
  table,
  columns,
  shown,
  onClose,
}: ColumnMenuListProps) {
  const { t } = useTranslation()
  const isShown = (key: string) => shown.some((column) => column.key === key)
  return (
    <Menu id={id} open={anchor !== null} anchorEl={anchor} onClose={onClose}>
      {columns
        .filter(({ priority }) => priority !== undefined)
        .map(({ key, title }) => (
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
  )
}
