/** Everything only pending orders need: their tickets, and the list with its actions. */
export { EditOrderSheet } from './edit-order-sheet'
export { OcoTicket } from './oco-ticket'
export { PendingOrderList } from './pending-order-list'
export { PendingOrderTicket } from './pending-order-ticket'
