/** What only orders that wait for their price need: their tickets, and the list with what can be done. */
export { EditOrderSheet } from './edit-order-sheet'
export { OcoTicket } from './oco-ticket'
export { WaitingList } from './waiting-list'
export { WaitingTicket } from './waiting-ticket'
