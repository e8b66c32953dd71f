import { createTheme, type Theme } from '@mui/material/styles'
import { controls } from './mui-controls'
import { fields } from './mui-fields'
import { surfaces } from './mui-surfaces'
import { tables } from './mui-tables'

function tone(name: string) {
  return {
    main: `var(--${name})`,
    light: `var(--${name})`,
    dark: `var(--${name})`,
    contrastText: 'var(--on-status)',
  }
}

/** The solid colour of a price direction, for buttons. */
function solid(name: 'up' | 'down') {
  return {
    main: `var(--${name}-solid)`,
    light: `var(--${name}-solid)`,
    dark: `var(--${name}-solid)`,
    contrastText: `var(--on-${name})`,
  }
}

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
      up: solid('up'),
      down: solid('down'),
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
    components: { ...controls, ...fields, ...surfaces, ...tables },
  })
}
