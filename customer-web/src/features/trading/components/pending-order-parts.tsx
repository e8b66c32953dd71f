/** What only orders that wait for their price need: their tickets, and the list with what can be done. */
export { EditOrderSheet } from './edit-order-sheet'
export { OcoTicket } from './oco-ticket'
export { PendingOrderList } from './pending-order-list'
export { PendingOrderTicket } from './pending-order-ticket'
