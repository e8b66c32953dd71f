import type { ThemeOptions } from '@mui/material/styles'
import { createElement } from 'react'
import { EmptyBox, TickedBox } from './checkbox-icons'
import { phone } from './mui-phone'

/** MUI's fields, boxes and switches in our tokens. */
export const fields: NonNullable<ThemeOptions['components']> = {
  MuiOutlinedInput: {
    styleOverrides: {
      root: {
        minHeight: 'var(--control-lg)',
        backgroundColor: 'var(--surface-2)',
        fontWeight: 500,
        fontSize: 13,
        '& .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--border-strong)' },
        '&:hover .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--border-control)' },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': {
          borderColor: 'var(--focus)',
          borderWidth: 2,
        },
        '&.Mui-error .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--error)' },
        '&.Mui-disabled .MuiOutlinedInput-notchedOutline': { borderColor: 'var(--border)' },
        // Below 16 px iOS zooms into the field.
        [phone]: {
          minHeight: 'var(--control-phone)',
          fontSize: 16,
          borderRadius: 'var(--r-md)',
        },
      },
      adornedStart: { paddingInlineStart: 0 },
      adornedEnd: { paddingInlineEnd: 4 },
      multiline: { padding: '12px 0' },
      input: {
        padding: '0 12px',
        blockSize: 'auto',
        alignSelf: 'stretch',
        '&::placeholder': { color: 'var(--text-3)', opacity: 1, fontWeight: 400 },
        '&::-ms-reveal': { display: 'none' },
        // A left-to-right value is aligned to the start of a right-to-left form.
        '[dir="rtl"] &[dir="ltr"]': { textAlign: 'end' },
        // The browser's autofill colour does not follow our themes.
        '&:autofill': {
          WebkitTextFillColor: 'var(--text-1)',
          caretColor: 'var(--text-1)',
          boxShadow: 'inset 0 0 0 60px var(--accent-soft)',
        },
      },
    },
  },
  MuiAutocomplete: {
    styleOverrides: {
      root: {
        '& .MuiOutlinedInput-root': { paddingBlock: 0 },
        '& .MuiOutlinedInput-root .MuiAutocomplete-input': { padding: '0 4px' },
      },
      paper: {
        backgroundColor: 'var(--surface-3)',
        borderRadius: 'var(--r-md)',
        boxShadow: 'var(--shadow-2), var(--edge-raised)',
      },
      option: { fontSize: 13, [phone]: { minHeight: 'var(--touch-min)', fontSize: 15 } },
      noOptions: { fontSize: 13 },
    },
  },
  MuiSelect: {
    // The text stands in the middle of a field that is higher than its line.
    styleOverrides: { select: { '&:not(select)': { display: 'flex', alignItems: 'center' } } },
  },
  MuiFormLabel: {
    styleOverrides: {
      root: {
        fontSize: 13,
        fontWeight: 500,
        lineHeight: 'var(--lh-snug)',
        letterSpacing: 0,
        color: 'var(--text-2)',
        '&.Mui-focused, &.Mui-error, &.Mui-disabled': { color: 'var(--text-2)' },
        [phone]: { fontSize: 14 },
      },
    },
  },
  MuiFormHelperText: {
    styleOverrides: {
      root: {
        display: 'flex',
        gap: 6,
        margin: 0,
        fontSize: 12,
        lineHeight: 1.4,
        letterSpacing: 0,
        '&.Mui-error': { color: 'var(--error)' },
        '& svg': { marginBlockStart: 1 },
        [phone]: { fontSize: 13 },
      },
    },
  },
  MuiFormControlLabel: {
    styleOverrides: {
      root: {
        alignItems: 'flex-start',
        gap: 10,
        margin: 0,
        [phone]: { minHeight: 'var(--touch-min)' },
      },
      label: {
        paddingBlock: 6,
        fontSize: 13,
        lineHeight: 1.4,
        color: 'var(--text-2)',
        '& a': { color: 'var(--accent)', textDecoration: 'underline' },
        [phone]: { paddingBlock: 11, fontSize: 14 },
      },
    },
  },
  MuiCheckbox: {
    defaultProps: { icon: createElement(EmptyBox), checkedIcon: createElement(TickedBox) },
    styleOverrides: {
      root: {
        padding: 4,
        margin: '2px -4px',
        color: 'var(--border-control)',
        '&.Mui-checked': { color: 'var(--accent-solid)' },
        [phone]: { padding: 11, margin: '0 -11px' },
      },
    },
  },
  MuiRadio: {
    styleOverrides: { root: { color: 'var(--border-control)' } },
  },
  MuiSwitch: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: { inlineSize: 40, blockSize: 24, padding: 3, overflow: 'visible' },
      switchBase: {
        padding: 6,
        color: 'var(--border-control)',
        '&.Mui-checked': {
          transform: 'translateX(16px)',
          color: 'var(--on-accent)',
          '& + .MuiSwitch-track': {
            opacity: 1,
            backgroundColor: 'var(--accent-solid)',
            borderColor: 'transparent',
          },
        },
        '&.Mui-disabled': { color: 'var(--text-disabled)' },
        // The track has the outline.
        '&.Mui-focusVisible': { outline: 'none' },
        '&.Mui-disabled + .MuiSwitch-track': { opacity: 0.5 },
        '&.Mui-focusVisible + .MuiSwitch-track': {
          outline: 'var(--focus-width) solid var(--focus)',
          outlineOffset: 'var(--focus-offset)',
        },
      },
      thumb: { inlineSize: 12, blockSize: 12, boxShadow: 'none' },
      track: {
        borderRadius: 9,
        opacity: 1,
        backgroundColor: 'transparent',
        border: '1.5px solid var(--border-control)',
      },
    },
  },
}
