/** What a trader does with an open position; both are dialogs on a desktop and sheets on a phone. */
export { ClosePositionSheet } from './close-position-sheet'
export { ProtectSheet } from './protect-sheet'
