/** The media query of screens with touch sizes. */
export const phone = '@media (max-width: 1023.95px)'
