/** What a trader does with open positions; all are dialogs on a desktop and sheets on a phone. */
export { CloseAllSheet } from './close-all-sheet'
export { ClosePositionSheet } from './close-position-sheet'
export { ProtectSheet } from './protect-sheet'
