import IconButton from '@mui/material/IconButton'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '@/ui/icons/icon'
import type { ColumnRule } from '../../model/table-columns'

const ColumnMenuList = lazy(() => import('./column-menu-list'))

type Titled = ColumnRule & { title: string }

export type ColumnMenuProps = {
  table: string
  columns: readonly Titled[]
  shown: readonly Titled[]
}

/** Chooses the columns of a table, apart from those that always show. */
export function ColumnMenu(props: ColumnMenuProps) {
  const { t } = useTranslation()
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [used, setUsed] = useState(false)
  if (props.columns.every(({ priority }) => priority === undefined)) return null
  return (
    <>
      <IconButton
        aria-label={t('table.columns')}
        title={t('table.columns')}
        aria-haspopup="menu"
        aria-controls={anchor ? id : undefined}
        aria-expanded={anchor !== null}
        onClick={(event) => {
          setAnchor(event.currentTarget)
          setUsed(true)
        }}
      >
        <Icon name="columns" />
      </IconButton>
      {used && (
        <Suspense>
          <ColumnMenuList {...props} id={id} anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
