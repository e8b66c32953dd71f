import type { ThemeOptions } from '@mui/material/styles'

/** MUI's tables and lists in our tokens. */
export const tables: NonNullable<ThemeOptions['components']> = {
  MuiTableCell: {
    styleOverrides: {
      root: {
        blockSize: 'var(--row-height, var(--row))',
        padding: '0 7px',
        borderBottom: 0,
        borderBlockStart: '1px solid var(--border)',
        color: 'inherit',
        fontSize: 12,
        fontWeight: 500,
        lineHeight: 'var(--lh-snug)',
        letterSpacing: 0,
        whiteSpace: 'nowrap',
        '&:first-of-type': { paddingInlineStart: 12 },
        '&:last-of-type': { paddingInlineEnd: 12 },
      },
      head: {
        blockSize: 'var(--row-compact)',
        borderBlockStart: 0,
        color: 'var(--text-3)',
        fontSize: 11,
        fontWeight: 400,
      },
      footer: { borderBlockStartColor: 'var(--border-strong)', color: 'var(--text-1)' },
      stickyHeader: { backgroundColor: 'var(--surface-1)' },
    },
  },
  MuiTableSortLabel: {
    styleOverrides: {
      root: {
        minBlockSize: 24,
        color: 'inherit',
        '&:hover, &:focus-visible': { color: 'var(--text-1)' },
        '&.Mui-active': { color: 'var(--text-1)' },
      },
      // Takes no room until the column sorts.
      icon: { position: 'absolute', insetInlineEnd: -14, margin: 0, fontSize: 12 },
    },
  },
  MuiListItemText: {
    styleOverrides: { primary: { fontSize: 'inherit' } },
  },
}
