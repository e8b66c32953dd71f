/** Components about the account's margin, now and after an order; loaded once the terminal is shown. */
export { AccountBar } from './account-bar'
export { CloseOnlyTicket } from './close-only-ticket'
export { OrderCosts } from './order-costs'
export { StopOutLine } from './stop-out-line'
export { TicketFoot } from './ticket-foot'
export { TicketOutlook } from './ticket-outlook'
export { VolumeShares } from './volume-shares'
