/** What only orders that wait for their price need: their ticket, and the list with what can be done. */
export { WaitingList } from './waiting-list'
export { WaitingTicket } from './waiting-ticket'
