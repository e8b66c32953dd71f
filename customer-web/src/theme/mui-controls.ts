import type { ThemeOptions } from '@mui/material/styles'
import { phone } from './mui-phone'

/** MUI's buttons, chips, tabs and pages in our tokens. */
export const controls: NonNullable<ThemeOptions['components']> = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true, disableTouchRipple: true },
    styleOverrides: {
      root: {
        // MUI marks the focus by its ripple, and takes the browser's outline away.
        outlineOffset: 'var(--focus-offset)',
        '&.Mui-focusVisible, &:focus-visible': {
          outline: 'var(--focus-width) solid var(--focus)',
        },
      },
    },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: 'outlined', color: 'inherit' },
    styleOverrides: {
      root: {
        minHeight: 'var(--control)',
        padding: '0 12px',
        gap: 6,
        textAlign: 'center',
        borderRadius: 'var(--r-sm)',
        lineHeight: 'var(--lh-snug)',
        transition: 'background-color var(--dur-fast) var(--ease-out)',
        '&.Mui-disabled': { backgroundColor: 'var(--chosen)', color: 'var(--text-2)', border: 0 },
        [phone]: { minHeight: 'var(--touch-min)', borderRadius: 'var(--r-md)', fontSize: 15 },
      },
      startIcon: { marginInline: 0 },
      contained: {
        fontWeight: 600,
        '&:hover': { filter: 'brightness(1.06)' },
        '&:active': { filter: 'brightness(.94)' },
      },
      outlined: {
        borderColor: 'var(--border-strong)',
        '&:hover': { backgroundColor: 'var(--hover)', borderColor: 'var(--border-strong)' },
        '&:active': { backgroundColor: 'var(--pressed)' },
      },
      text: {
        minWidth: 0,
        '&:hover': { backgroundColor: 'var(--hover)' },
        '&:active': { backgroundColor: 'var(--pressed)' },
      },
      sizeLarge: {
        minHeight: 42,
        fontSize: 14,
        fontWeight: 600,
        [phone]: { minHeight: 'var(--control-phone)', fontSize: 16 },
      },
      sizeSmall: {
        minHeight: 'var(--control-sm)',
        padding: '0 8px',
        fontSize: 12,
        [phone]: { minHeight: 'var(--touch-min)', fontSize: 14 },
      },
    },
    variants: [
      {
        props: { variant: 'text', color: 'primary' },
        style: { color: 'var(--accent)' },
      },
      {
        props: { variant: 'quiet' },
        style: {
          backgroundColor: 'var(--surface-2)',
          '&:hover': { backgroundColor: 'var(--surface-3)' },
        },
      },
    ],
  },
  MuiIconButton: {
    styleOverrides: {
      root: {
        inlineSize: 'var(--control)',
        blockSize: 'var(--control)',
        borderRadius: 'var(--r-sm)',
        color: 'var(--text-2)',
        padding: 0,
        flex: 'none',
        fontSize: 'inherit',
        '&:hover': { backgroundColor: 'var(--hover)', color: 'var(--text-1)' },
        '&:active': { backgroundColor: 'var(--pressed)' },
        '&.Mui-disabled': { color: 'var(--text-disabled)' },
        [phone]: { inlineSize: 'var(--touch-min)', blockSize: 'var(--touch-min)' },
      },
    },
  },
  MuiChip: {
    styleOverrides: {
      root: {
        position: 'relative',
        height: 'var(--control-sm)',
        borderRadius: 'var(--r-sm)',
        fontSize: 12,
        fontWeight: 500,
        color: 'var(--text-2)',
        flex: 'none',
        overflow: 'visible',
        transition: 'background-color var(--dur-fast) var(--ease-out)',
        '&:hover': { color: 'var(--text-1)' },
        '&.on, &.on:hover': { backgroundColor: 'var(--chosen)', color: 'var(--text-1)' },
        '&.Mui-disabled': { opacity: 1, color: 'var(--text-disabled)' },
        [phone]: {
          height: 32,
          fontSize: 13,
          // Drawn 32 px high, with a touch target of 44 px.
          '&::before': { content: '""', position: 'absolute', inset: '-6px 0' },
        },
      },
      filled: { backgroundColor: 'transparent', '&:hover': { backgroundColor: 'transparent' } },
      outlined: {
        borderColor: 'var(--border-strong)',
        [phone]: { '&::before': { inset: '-7px -1px' } },
      },
      label: {
        display: 'inline-flex',
        alignItems: 'center',
        gap: 6,
        paddingInline: 8,
        [phone]: { paddingInline: 12 },
      },
    },
  },
  MuiStepLabel: {
    styleOverrides: {
      root: { padding: 0, alignItems: 'flex-start', gap: 5 },
      iconContainer: { padding: 0, color: 'var(--accent)', '&:empty': { display: 'none' } },
      label: {
        fontSize: 'var(--fs-small)',
        fontWeight: 500,
        lineHeight: 'var(--lh-snug)',
        color: 'var(--text-2)',
        '&.Mui-disabled': { color: 'var(--text-3)' },
        '&.Mui-active': { color: 'var(--text-1)', fontWeight: 600 },
      },
    },
  },
  // Laid out by the class of each use.
  MuiAccordionSummary: {
    styleOverrides: {
      root: { width: 'auto', minHeight: 0, padding: 0, textAlign: 'start' },
    },
  },
  MuiTabs: {
    styleOverrides: {
      root: { minHeight: 0 },
      indicator: { backgroundColor: 'var(--accent)', borderRadius: 1 },
    },
  },
  MuiTab: {
    styleOverrides: {
      root: {
        minHeight: 0,
        minWidth: 0,
        maxWidth: 'none',
        padding: '0 2px',
        flexDirection: 'row',
        gap: 6,
        color: 'var(--text-2)',
        opacity: 1,
        whiteSpace: 'nowrap',
        '&:hover, &.Mui-selected': { color: 'var(--text-1)' },
        // Inside, where the scrolling row doesn't cut it.
        '&.Mui-focusVisible': { outlineOffset: 'calc(-1 * var(--focus-width))' },
      },
    },
  },
  MuiPaginationItem: {
    styleOverrides: {
      root: {
        margin: 0,
        minWidth: 'var(--control)',
        height: 'var(--control)',
        borderRadius: 'var(--r-sm)',
        color: 'var(--text-2)',
        fontSize: 13,
        fontWeight: 500,
        '&:hover': { backgroundColor: 'var(--hover)', color: 'var(--text-1)' },
        '&.Mui-selected, &.Mui-selected:hover': {
          backgroundColor: 'var(--chosen)',
          color: 'var(--text-1)',
        },
        '&[aria-disabled="true"]': { color: 'var(--text-disabled)', cursor: 'not-allowed' },
        [phone]: { minWidth: 'var(--touch-min)', height: 'var(--touch-min)' },
      },
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: {
        minHeight: 36,
        fontSize: 13,
        '&.Mui-focusVisible, &:focus-visible': { outlineOffset: 'calc(-1 * var(--focus-width))' },
        [phone]: { minHeight: 'var(--touch-min)', fontSize: 15 },
      },
    },
  },
}
