import { createTheme, type Theme } from '@mui/material/styles'

const phone = '@media (max-width: 1023.95px)'

function tone(name: string) {
  return {
    main: `var(--${name})`,
    light: `var(--${name})`,
    dark: `var(--${name})`,
    contrastText: 'var(--on-status)',
  }
}

/** Direction colours that keep their contrast on --surface-3. */
const raised = { '--up': 'var(--up-raised)', '--down': 'var(--down-raised)' }

const made = new Map<string, Theme>()

/** The theme of a reading direction and motion preference; each is created once. */
export function muiTheme(dir: 'ltr' | 'rtl', reduceMotion: boolean): Theme {
  const key = `${dir} ${reduceMotion}`
  const theme = made.get(key) ?? makeMuiTheme(dir, reduceMotion)
  made.set(key, theme)
  return theme
}

/**
 * MUI with our tokens. Every colour is a variable of tokens.css, so switching theme or price colours renders
 * nothing again. No ripple, no capitals, no elevation tint.
 */
function makeMuiTheme(dir: 'ltr' | 'rtl', reduceMotion: boolean): Theme {
  return createTheme({
    cssVariables: { nativeColor: true, disableCssColorScheme: true },
    direction: dir,
    motion: { reducedMotion: reduceMotion ? 'always' : 'system' },
    breakpoints: { values: { xs: 0, sm: 600, md: 768, lg: 1024, xl: 1440 } },
    spacing: 4,
    shape: { borderRadius: 6 },
    palette: {
      primary: {
        main: 'var(--accent-solid)',
        light: 'var(--accent-soft)',
        dark: 'var(--accent-solid-hover)',
        contrastText: 'var(--on-accent)',
      },
      secondary: {
        main: 'var(--text-2)',
        light: 'var(--text-3)',
        dark: 'var(--text-1)',
        contrastText: 'var(--surface-1)',
      },
      success: tone('success'),
      warning: tone('warning'),
      error: tone('error'),
      info: tone('info'),
      text: {
        primary: 'var(--text-1)',
        secondary: 'var(--text-2)',
        disabled: 'var(--text-disabled)',
      },
      background: { default: 'var(--surface-0)', paper: 'var(--surface-1)' },
      divider: 'var(--border)',
      action: {
        active: 'var(--text-2)',
        hover: 'var(--hover)',
        selected: 'var(--selected)',
        disabled: 'var(--text-disabled)',
        disabledBackground: 'var(--surface-2)',
        focus: 'var(--hover)',
      },
    },
    typography: {
      fontFamily: 'var(--font-ui)',
      fontSize: 13,
      htmlFontSize: 16,
      fontWeightRegular: 400,
      fontWeightMedium: 500,
      fontWeightBold: 600,
      h1: { fontSize: 18, fontWeight: 600, lineHeight: 1.3, letterSpacing: '-0.01em' },
      h2: { fontSize: 15, fontWeight: 600, lineHeight: 1.3 },
      h3: { fontSize: 14, fontWeight: 600, lineHeight: 1.3 },
      body1: { fontSize: 14, lineHeight: 'var(--lh-body)', letterSpacing: 0 },
      body2: { fontSize: 13, lineHeight: 'var(--lh-body)', letterSpacing: 0 },
      caption: { fontSize: 12, lineHeight: 'var(--lh-body)', letterSpacing: 0 },
      button: { fontSize: 13, fontWeight: 500, textTransform: 'none', letterSpacing: 0 },
    },
    components: {
      MuiButtonBase: {
        defaultProps: { disableRipple: true, disableTouchRipple: true },
      },
      MuiButton: {
        defaultProps: { disableElevation: true, variant: 'outlined', color: 'inherit' },
        styleOverrides: {
          root: {
            minHeight: 'var(--control)',
            padding: '0 12px',
            borderRadius: 'var(--r-sm)',
            whiteSpace: 'nowrap',
            transition: 'background-color var(--dur-fast) var(--ease-out)',
            [phone]: { minHeight: 'var(--touch-min)', borderRadius: 'var(--r-md)', fontSize: 15 },
          },
          contained: { fontWeight: 600 },
          outlined: {
            borderColor: 'var(--border-strong)',
            '&:hover': { backgroundColor: 'var(--hover)' },
          },
          text: { '&:hover': { backgroundColor: 'var(--hover)' } },
          sizeLarge: {
            minHeight: 'var(--control-lg)',
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
            '&:hover': { backgroundColor: 'var(--hover)' },
            [phone]: { inlineSize: 'var(--touch-min)', blockSize: 'var(--touch-min)' },
          },
        },
      },
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
      MuiMenuItem: {
        styleOverrides: {
          root: {
            minHeight: 36,
            fontSize: 13,
            [phone]: { minHeight: 'var(--touch-min)', fontSize: 15 },
          },
        },
      },
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
            // Below 16 px iOS zooms into the field.
            [phone]: {
              minHeight: 'var(--control-phone)',
              fontSize: 16,
              borderRadius: 'var(--r-md)',
            },
          },
          input: {
            padding: '0 12px',
            blockSize: 'auto',
            '&::placeholder': { color: 'var(--text-3)', opacity: 1 },
          },
        },
      },
      MuiFormHelperText: {
        styleOverrides: {
          root: { marginInline: 0, fontSize: 12, '&.Mui-error': { color: 'var(--error)' } },
        },
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
    },
  })
}
