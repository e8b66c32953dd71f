import type { ThemeOptions } from '@mui/material/styles'
import { phone } from './mui-phone'

/** Direction colours that keep their contrast on --surface-3. */
const raised = { '--up': 'var(--up-raised)', '--down': 'var(--down-raised)' }

/** MUI's raised surfaces, notes and placeholders in our tokens. */
export const surfaces: NonNullable<ThemeOptions['components']> = {
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { backgroundImage: 'none' } },
  },
  MuiDialog: {
    styleOverrides: {
      paper: {
        ...raised,
        backgroundColor: 'var(--surface-3)',
        borderRadius: 'var(--r-lg)',
        boxShadow: 'var(--shadow-3), var(--edge-raised)',
      },
    },
  },
  MuiDrawer: {
    styleOverrides: {
      paper: { boxShadow: 'var(--shadow-3), var(--edge-raised)' },
    },
  },
  MuiBackdrop: {
    styleOverrides: {
      root: { '&:not(.MuiBackdrop-invisible)': { backgroundColor: 'var(--scrim)' } },
    },
  },
  MuiMenu: {
    styleOverrides: {
      paper: {
        ...raised,
        backgroundColor: 'var(--surface-3)',
        borderRadius: 'var(--r-md)',
        boxShadow: 'var(--shadow-2), var(--edge-raised)',
      },
    },
  },
  MuiTooltip: {
    styleOverrides: {
      tooltip: {
        backgroundColor: 'var(--surface-3)',
        color: 'var(--text-1)',
        boxShadow: 'var(--shadow-2), var(--edge-raised)',
        fontSize: 12,
        fontWeight: 400,
      },
    },
  },
  MuiSnackbar: {
    styleOverrides: { root: { zIndex: 'var(--z-toast)' } },
  },
  MuiAlert: {
    styleOverrides: {
      root: {
        padding: '8px 10px',
        gap: 8,
        borderRadius: 'var(--r-sm)',
        backgroundColor: 'var(--tone-soft)',
        color: 'var(--text-1)',
        fontSize: 12,
        lineHeight: 1.4,
        '&.neutral': {
          '--tone-soft': 'var(--surface-2)',
          '--tone': 'var(--text-2)',
          color: 'var(--text-2)',
        },
        [phone]: { padding: '10px 12px', borderRadius: 'var(--r-md)', fontSize: 13 },
      },
      icon: {
        padding: '1px 0 0',
        margin: 0,
        fontSize: 'inherit',
        opacity: 1,
        color: 'var(--tone)',
      },
      message: { padding: 0, minWidth: 0, overflow: 'visible', overflowWrap: 'anywhere' },
    },
    variants: (['info', 'success', 'warning', 'error'] as const).map((severity) => ({
      props: { severity },
      style: { '--tone': `var(--${severity})`, '--tone-soft': `var(--${severity}-soft)` },
    })),
  },
  MuiSkeleton: {
    defaultProps: { animation: 'wave' },
    styleOverrides: {
      root: { backgroundColor: 'var(--skeleton)', borderRadius: 'var(--r-xs)' },
      wave: {
        '&::after': {
          background: 'linear-gradient(90deg, transparent, var(--skeleton-shine), transparent)',
        },
      },
    },
  },
}
