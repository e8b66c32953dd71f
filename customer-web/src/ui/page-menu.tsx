import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { Icon } from './icons/icon'
import type { IconName } from './icons/icon-shapes'

export type PageMenuItem = {
  icon: IconName
  text: string
  onClick?: () => void
  to?: string
  disabled?: boolean
}

export type PageMenuProps = { label: string; items: readonly PageMenuItem[] }

/** The rarer actions of a page, behind a button in its heading. */
export function PageMenu({ label, items }: PageMenuProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <IconButton
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-controls={anchor ? id : undefined}
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="more" size={20} />
      </IconButton>
      <Menu id={id} open={anchor !== null} anchorEl={anchor} onClose={close}>
        {items.map(({ icon, text, onClick, to, disabled = false }) => (
          <MenuItem
            key={text}
            disabled={disabled}
            {...(to ? { component: Link, to } : {})}
            onClick={() => {
              close()
              onClick?.()
            }}
          >
            <ListItemIcon>
              <Icon name={icon} />
            </ListItemIcon>
            {text}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
