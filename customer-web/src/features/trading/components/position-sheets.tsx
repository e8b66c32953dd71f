/** The actions on open positions: dialogs on a desktop, sheets on a phone. */
export { CloseAllSheet } from './close-all-sheet'
export { ClosePositionSheet } from './close-position-sheet'
export { ProtectSheet } from './protect-sheet'
