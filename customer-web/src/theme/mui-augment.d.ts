import '@mui/material/styles'
import '@mui/material/Button'

declare module '@mui/material/styles' {
  interface Palette {
    up: Palette['primary']
    down: Palette['primary']
  }
  interface PaletteOptions {
    up: PaletteOptions['primary']
    down: PaletteOptions['primary']
  }
}

declare module '@mui/material/Button' {
  interface ButtonPropsVariantOverrides {
    quiet: true
  }
  interface ButtonPropsColorOverrides {
    up: true
    down: true
  }
}
